/** The scripts that let bash, zsh and fish complete command lines: they ask `completion suggest` and print nothing. */

/** The shells with a script. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The script of a shell. `program` starts this program; it is a command in the syntax of a shell. */
export function scriptOf(shell: Shell, program: string): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell].replaceAll('PROGRAM', () => program)
}

/**
 * The whole line goes to the program, because bash divides words at colons and equals signs. What it divided off is
 * removed from the suggestions again. Nothing of the line is evaluated.
 */
const bashScript = `# bash completion for bourse
_bourse() {
  local line word divided
  word=\${COMP_LINE:0:COMP_POINT}
  word=\${word##*[[:space:]]}
  divided=\${word%"\${word##*[:=]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
      continue
    fi
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$divided"}")
  done < <(PROGRAM completion suggest --line "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
}
complete -F _bourse bourse
`

const zshScript = `#compdef bourse
_bourse() {
  local -a lines described
  local line
  lines=("\${(@f)$(PROGRAM completion suggest -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#described )) && _describe -V 'bourse' described
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _bourse "$@"
else
  compdef _bourse bourse
fi
`

const fishScript = `# fish completion for bourse
function __bourse_suggest
    set -l words (commandline -opc) (commandline -ct)
    for line in (PROGRAM completion suggest -- $words[2..-1] 2>/dev/null </dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c bourse -e
complete -c bourse -f -k -a '(__bourse_suggest)'
`

/** The words of a line of bash as a shell divides them, without expansion. The last one may be incomplete. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  let [word, quote]: [string | undefined, string] = [undefined, '']
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string
    if (quote !== '') {
      if (letter === quote) quote = ''
      else word += letter === '\\' && quote === '"' ? (line[++at] ?? '') : letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (letter === '\\' ? (line[++at] ?? '') : letter)
  }
  return [...words, word ?? '']
}
