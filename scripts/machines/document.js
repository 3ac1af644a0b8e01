// Commands of the documentation.
import { readFileSync } from 'node:fs'

/** Returns the shell commands below a heading, one text for each block. */
export function commandsOf(file, heading) {
  const text = readFileSync(file, 'utf8')
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`${file} has no heading "${heading}"`)
  const level = heading.match(/^#+/)[0].length
  const rest = text.slice(start + heading.length + 2)
  const end = rest.search(new RegExp(`^#{2,${level}} `, 'm'))
  return [...rest.slice(0, end < 0 ? undefined : end).matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, code]) => code,
  )
}
