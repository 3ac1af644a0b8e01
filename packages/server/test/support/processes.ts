// Separate processes for tests. They run the build, so run `npm run build` first, as `npm test`
// does.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { descendants } from '@botstead/lib'

/** The URL of a built file of this package. */
export const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href

/** The user for commands that must not run as root; empty when the tests do not run as root. */
export const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs a module from text, on request as an ordinary user, and returns its output. */
export async function runNodeScript(
  script: string,
  user: { uid?: number; gid?: number } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    {
      ...user,
      cwd: import.meta.dirname,
    },
  )
  return stdout
}

/**
 * Below a private folder, such as /root, an ordinary user cannot run the build; tests that need it
 * are skipped.
 */
export const ordinaryUserIsShutOut = await runNodeScript(
  `import { readdirSync } from 'node:fs'; readdirSync(${JSON.stringify(import.meta.dirname)})`,
  ordinaryUser,
).then(
  () => false,
  () => true,
)
export const shutOut = 'needs a checkout, and a Node, that ordinary users can reach'

/** Kills all processes of hosted code below a process, and returns their number. */
export const killHostedCode = (under: number): number =>
  descendants(under).filter((pid) => isHostedCode(pid) && killAtOnce(pid)).length

/** Other children are the database, and in the tests' own process the bundler of other tests. */
function isHostedCode(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(
      '--disable-proto=delete',
    )
  } catch {
    return false
  }
}

/** Returns false if the process has already ended: some end with their parent. */
function killAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
