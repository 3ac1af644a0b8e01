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

export interface Step {
  block: Block
  /** Text of the file `$BLOCK`, by default that of the block. */
  text?: string
  /** Commands in the shell of the page, which may use the file `$BLOCK`. */
  commands: string
}

interface Surroundings {
  dataFolder: string
  /** Replaces texts of the page, such as the usual address of the server. */
  values: Record<string, string>
  /** Commands before the first step. */
  before?: string
  env?: NodeJS.ProcessEnv
  /** Kills the shell after this time. */
  deadlineMs?: number
}

export interface Followed {
  /** Outputs by block, with the texts of the page. */
  outputs: Map<Block, string>
  /** Describes the block that failed. */
  failure?: string
}

/** Returns the step of a block that is saved as a file or has commands; undefined for others. */
export function toStep(block: Block): Step | undefined {
  const { language, file } = block
  if (file)
    return { block, commands: `mkdir -p "$(dirname '${file}')"\ncp "$BLOCK" '${file}'` }
  return language === 'sh' ? { block, commands: '. "$BLOCK"' } : undefined
}

export async function followPage(
  steps: Step[],
  { dataFolder, values, before = '', env = {}, deadlineMs = 200_000 }: Surroundings,
): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-page-'))
  const entries = Object.entries(values)
  const adapt = (text: string) =>
    entries.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text)
  const restore = (text: string) =>
    entries.reduce((restored, [from, to]) => restored.replaceAll(to, from), text)
  try {
    const clone = createClone(folder, dataFolder)
    const commands = steps.map(({ block, text = block.text, commands }, i) => {
      const file = join(clone, '.blocks', `${i}.${block.language}`)
      writeFileSync(file, adapt(text))
      return `printf '\\n${mark}\\n'\nBLOCK='${file}'\n${commands}\n`
    })
    const first = `set -e\nstty cols 120\n${before}\n`
    writeFileSync(join(folder, 'commands'), first + commands.join(''))
    const { code, output } = await runOnTerminal(folder, clone, { env, deadlineMs })
    const parts = output.split(`${mark}\n`).slice(1)
    const outputs = new Map(
      parts.map((part, i) => [steps[i]!.block, restore(part).trim()]),
    )
    const last = steps[parts.length - 1]?.block
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

/** Throws if a reader cannot use a block: each is a file, commands, or their output. */
export function checkBlocks(blocks: Block[]): void {
  for (const [i, block] of blocks.entries()) {
    const { language, place } = block
    if (toStep(block)) continue
    if (language !== 'text')
      throw new Error(`${place}: "Save this as" is missing before the block`)
    if (!isOutputBlock(block, blocks[i - 1]))
      throw new Error(`${place}: no commands precede the output`)
  }
}

/** Whether the block is the output of the commands before it. */
export const isOutputBlock = ({ language, file }: Block, previous?: Block): boolean =>
  language === 'text' && !file && previous?.language === 'sh' && !previous.file

/** Creates a folder with the files of the repository and the data of the server. */
function createClone(folder: string, dataFolder: string): string {
  const clone = join(folder, 'clone')
  mkdirSync(join(clone, '.blocks'), { recursive: true })
  for (const name of readdirSync(repository))
    if (name !== 'data') symlinkSync(join(repository, name), join(clone, name))
  symlinkSync(dataFolder, join(clone, 'data'))
  return clone
}

function runOnTerminal(
  folder: string,
  cwd: string,
  { env: more, deadlineMs }: Pick<Surroundings, 'env'> & { deadlineMs: number },
) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:BOTSTEAD|BP|NODE(?!_EXTRA_CA)|VITEST|npm)_|^(?:CI|DATABASE_URL|VITEST)$/.test(
        name,
      ),
  )
  const env = {
    ...Object.fromEntries(kept),
    HOME: folder,
    XDG_CONFIG_HOME: '',
    TERM: 'dumb',
    npm_config_update_notifier: 'false',
    ...more,
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
  const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
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
