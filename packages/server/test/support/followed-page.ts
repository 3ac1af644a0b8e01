// Follows a page of the documentation as a reader does: saves its files and runs its commands, in order, in
// one shell on a terminal, which begins in the clone of the repository.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Block, repository } from './documents.ts'

const program = '/usr/bin/script'
/** Precedes the output of each block. */
const mark = '@@ next block @@'

// Other systems have a program of this name with other arguments.
const hasTerminal = process.platform === 'linux' && existsSync(program)
export const noTerminal = hasTerminal ? '' : `${program} of Linux does not exist`

export interface Followed {
  /** Outputs by block, with the texts of the page. */
  outputs: Map<Block, string>
  /** Describes the block that failed. */
  failure?: string
}

/** `values` replaces texts of the page, such as the usual address of the server. */
export async function followPage(
  blocks: Block[],
  dataFolder: string,
  values: Record<string, string>,
): Promise<Followed> {
  checkBlocks(blocks)
  const folder = mkdtempSync(join(tmpdir(), 'botstead-page-'))
  const entries = Object.entries(values)
  const adapt = (text: string) =>
    entries.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text)
  const restore = (text: string) =>
    entries.reduce((restored, [from, to]) => restored.replaceAll(to, from), text)
  try {
    const steps = blocks.filter(({ language, file }) => file || language === 'sh')
    for (const [i, { text }] of steps.entries()) writeFileSync(join(folder, `${i}`), adapt(text))
    const commands = steps.map(({ file, text }, i) =>
      file ? `mkdir -p "$(dirname '${file}')"\ncp '${folder}/${i}' '${file}'\n` : adapt(text),
    )
    const marked = commands.map((command) => `printf '\\n${mark}\\n'\n${command}`)
    writeFileSync(join(folder, 'commands'), `set -e\nstty cols 120\n${marked.join('')}`)
    const { code, output } = await runOnTerminal(folder, createClone(folder, dataFolder))
    const parts = output.split(`${mark}\n`).slice(1)
    const outputs = new Map(parts.map((part, i) => [steps[i]!, restore(part).trim()]))
    const last = steps[parts.length - 1]
    return {
      outputs,
      ...(code !== 0 && {
        failure: `${last?.place} ended with ${code}:\n${restore(parts.at(-1) ?? output)}`,
      }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws if a reader cannot use a block: each is a file, commands, or the output of the commands before it. */
function checkBlocks(blocks: Block[]): void {
  for (const [i, { language, file, place }] of blocks.entries()) {
    if (file || language === 'sh') continue
    if (language !== 'text') throw new Error(`${place}: "Save this as" is missing before the block`)
    const { language: previous, file: saved } = blocks[i - 1] ?? {}
    if (previous !== 'sh' || saved) throw new Error(`${place}: no commands precede the output`)
  }
}

/** Creates a folder with the files of the repository and the data of the server. */
function createClone(folder: string, dataFolder: string): string {
  const clone = join(folder, 'clone')
  mkdirSync(clone)
  for (const name of readdirSync(repository))
    if (name !== 'data') symlinkSync(join(repository, name), join(clone, name))
  symlinkSync(dataFolder, join(clone, 'data'))
  return clone
}

function runOnTerminal(folder: string, cwd: string) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:BOTSTEAD|BP|NODE|VITEST|npm)_|^(?:CI|DATABASE_URL|VITEST)$/.test(name),
  )
  const env = {
    ...Object.fromEntries(kept),
    ...{ HOME: folder, XDG_CONFIG_HOME: '', TERM: 'dumb', npm_config_update_notifier: 'false' },
  }
  const args = ['-qec', `bash '${folder}/commands'`, '/dev/null']
  // In its own process group, as commands may still run in the background.
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const deadline = setTimeout(() => child.kill('SIGKILL'), 200_000)
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => {
      clearTimeout(deadline)
      resolve({ code, output: readScreen(output) })
    }),
  )
}

/** Returns the text that remains: programs erase lines that show progress. */
const readScreen = (output: string) =>
  stripVTControlCharacters(output.replaceAll('\r\x1b[K', '\f'))
    .replaceAll(/[^\n]*\f/g, '')
    .replaceAll('\r', '')
