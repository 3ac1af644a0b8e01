// Reads the code blocks of a Markdown page.
//
// * A block after a paragraph with "Save this as `<file>`" is the content of that file.
// * A `text` block after an `sh` block is its output on a terminal. `…` stands for any text in a line; a line
//   of only `…` stands for any lines. The number of spaces between columns does not matter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Block {
  /** Path in the repository, and line of the first line of the block */
  place: string
  language: string
  text: string
  /** The file with this content. */
  file?: string
}

/** Returns the paths of the pages in a folder, also in its subfolders, relative to the repository. */
export const pagesIn = (folder: string): string[] =>
  readdirSync(repository + folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.md') && !name.startsWith('['))
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length))
    .sort()

/** Throws if a fence begins or ends no block, so that every block of the page is found. */
export function readBlocks(path: string): Block[] {
  const page = readFileSync(repository + path, 'utf8')
  const blocks = [...page.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map((match) => {
    const [, indent, language, body] = match
    const before = page.slice(0, match.index)
    const paragraph = before.trimEnd().split('\n\n').at(-1)!.replace(/\s+/g, ' ')
    const [, file] = /\b[Ss]ave (?:this|it) as `([^`]+)`[^`]*$/.exec(paragraph) ?? []
    const text = body!.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    const place = `${path}:${before.split('\n').length + 1}`
    return { place, language: language!, text, ...(file && { file }) }
  })
  const fences = page.match(/^[\s>*\d.-]*(?:`{3,}|~{3,})/gm)?.length ?? 0
  if (fences !== 2 * blocks.length)
    throw new Error(`${path} has ${fences} fences, but ${blocks.length} blocks`)
  return blocks
}

/** Whether an output is the expected one, with its `…`. */
export function isOutput(actual: string, expected: string): boolean {
  const aligned = (text: string) => text.replaceAll(/ {2,}/g, '  ')
  const lines = aligned(expected.trimEnd()).split('\n')
  const pattern = lines.map((line) =>
    line.trim() === '…'
      ? '(?:[^\\n]*\\n)*?'
      : `${line.split('…').map(quoted).join('[^\\n]*?')}\\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(`${aligned(actual.trim())}\n`)
}

const quoted = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
