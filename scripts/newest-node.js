// Installs versions of Node from npm, for scripts that try several.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs the newest version with long-term support (LTS) that npm has, in a folder. Returns its version and
 * the folder of its program; null where npm has none for this system.
 */
export async function installNewestNode(folder) {
  const name = `node-${process.platform}-${process.arch}`
  for (const major of await listEvenMajors(name)) {
    const target = join(folder, `node-${major}`)
    const options = ['--prefix', target, '--ignore-scripts', '--no-audit']
    await run('npm', ['install', ...options, `${name}@${major}`])
    const bin = join(target, 'node_modules', name, 'bin')
    // A version that becomes LTS later has no code name yet.
    const about = '[process.versions.node, process.release.lts ?? ""].join(" ")'
    const { stdout } = await run(join(bin, 'node'), ['-p', about])
    const [version, codeName] = stdout.trim().split(' ')
    if (codeName) return { version, folder: bin }
  }
  return null
}

/** Returns the even major versions, which become LTS, the newest first. */
async function listEvenMajors(name) {
  try {
    const { stdout } = await run('npm', ['view', name, 'versions', '--json'])
    const majors = new Set(JSON.parse(stdout).map((one) => Number(one.split('.')[0])))
    return [...majors].filter((major) => major % 2 === 0 && major >= 20).sort((a, b) => b - a)
  } catch {
    return []
  }
}
