// Splits shell commands of the documentation into words, without running them: quotes, continued lines,
// comments, pipes, lists and command substitutions. Placeholders such as `<id>` are words.

const end = /^(?:\n|;|&&?|\|\|?|\))/
const redirection = /^\d?(?:>>?|<)(?:&\d)?\s*/
const placeholder = /^<[a-z][\w |-]*>/i

/** Returns the words of each command; a command substitution is a command, too. */
export function commandsIn(text: string): string[][] {
  const commands: string[][] = []
  let rest = text
  let words: string[] = []
  let word: string | null = null
  const endWord = () => {
    if (word !== null) words.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  const take = (length: number) => {
    const taken = rest.slice(0, length)
    rest = rest.slice(length)
    return taken
  }
  while (rest.length > 0) {
    const here = rest
    const match = (pattern: RegExp) => pattern.exec(here)?.[0] ?? null
    const inner = match(/^\$\(/) && getInner(rest)
    const ending = match(end)
    const quoted = match(/^'[^']*'/)
    const inQuotes = match(/^"(?:[^"\\]|\\[\s\S])*"/)
    const redirected = match(redirection)
    if (inner) {
      commands.push(...commandsIn(inner))
      word = `${word ?? ''}${take(inner.length + 3)}`
    } else if (rest.startsWith('\\\n')) {
      endWord()
      take(2)
    } else if (quoted) word = `${word ?? ''}${take(quoted.length).slice(1, -1)}`
    else if (inQuotes) {
      const value = take(inQuotes.length).slice(1, -1)
      for (const at of value.matchAll(/\$\(/g))
        commands.push(...commandsIn(getInner(value.slice(at.index))))
      word = `${word ?? ''}${value.replaceAll(/\\(["\\$`])/g, '$1')}`
    } else if (match(placeholder))
      word = `${word ?? ''}${take(match(placeholder)!.length)}`
    else if (word === null && redirected) {
      take(redirected.length)
      take(match(/^\S*/)?.length ? /^[^\s;|&)]*/.exec(rest)![0].length : 0)
    } else if (ending) {
      endCommand()
      take(ending.length)
    } else if (word === null && rest.startsWith('#')) take(match(/^[^\n]*/)!.length)
    else if (/^[ \t]/.test(rest)) {
      endWord()
      take(1)
    } else word = `${word ?? ''}${take(1)}`
  }
  endCommand()
  return commands.map(withoutAssignments).filter((command) => command.length > 0)
}

/** Returns the text inside a command substitution at the beginning of a text. */
function getInner(text: string): string {
  let depth = 0
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')' && --depth === 0) return text.slice(2, i)
  }
  return text.slice(2)
}

const prefix = /^(?:\w+=.*|until|while|do|then|if|!|sudo|exec|time|export|\[)$/s

function withoutAssignments(words: string[]): string[] {
  const first = words.findIndex((one) => !prefix.test(one))
  return first < 0 ? [] : words.slice(first)
}
