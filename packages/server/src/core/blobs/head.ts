/** Reads the first bytes of a stream, `length` at most, and ends the stream. */
export async function headOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let held = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    held += chunk.length
    if (held >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}
