// Other processes for tests about processes. They run what was built, so `npm run build` comes first, as in `npm test`.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The URL of a built file of this package. */
export const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href

/** Whom root becomes for what root may not or need not do. Nothing when we are an ordinary user already. */
export const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs a module given as text, as an ordinary user where asked, and returns what it printed. */
export async function runScript(script: string, user: { uid?: number; gid?: number } = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    ...user,
    cwd: import.meta.dirname,
  })
  return stdout
}

/** Below a closed folder, such as /root, an ordinary user can run nothing of ours: then what is to be shown with one is left out. */
export const ordinaryUserIsShutOut = await runScript(
  `import { readdirSync } from 'node:fs'; readdirSync(${JSON.stringify(import.meta.dirname)})`,
  ordinaryUser,
).then(
  () => false,
  () => true,
)
export const shutOut = 'needs a checkout, and a Node, that ordinary users can reach'
