import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls `end` when the running test ends, or outside of a test when its file ends. The last one is called first. */
export function atEnd(end: () => unknown): void {
  const called = async () => void (await end())
  if (TestRunner.getCurrentTest()) onTestFinished(called)
  else afterAll(called)
}
