// Commands of the documentation.
import { readFileSync } from 'node:fs'

/** Returns the blocks of a language below a heading, by default the shell commands. */
export function readBlocks(file, heading, language = 'sh') {
  const text = readFileSync(file, 'utf8')
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`${file} has no heading "${heading}"`)
  const level = heading.match(/^#+/)[0].length
  const rest = text.slice(start + heading.length + 2)
  const end = rest.search(new RegExp(`^#{2,${level}} `, 'm'))
  const fence = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\`$`, 'gms')
  return [...rest.slice(0, end < 0 ? undefined : end).matchAll(fence)].map(
    ([, indent, code]) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}
