// Installs versions of Node from npm, for scripts that try several.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const name = `node-${process.platform}-${process.arch}`

/**
 * Installs the newest version with long-term support (LTS) that npm has, in a folder. Returns its version and
 * the folder of its program; null where npm has none for this system.
 */
export async function installNewestNode(folder) {
  for (const major of await listEvenMajors()) {
    const { codeName, ...node } = await install(folder, major)
    // A version that becomes LTS later has no code name yet.
    if (codeName) return node
  }
  return null
}

/** As `installNewestNode`, but the newest patch of a version such as `20.19`. */
export async function installNode(folder, version) {
  const found = await run('npm', ['view', `${name}@${version}`, 'version']).catch(
    () => null,
  )
  if (!found?.stdout.trim()) return null
  const { codeName: _, ...node } = await install(folder, version)
  return node
}

async function install(folder, wanted) {
  const target = join(folder, `node-${wanted}`)
  const options = ['--prefix', target, '--ignore-scripts', '--no-audit']
  await run('npm', ['install', ...options, `${name}@${wanted}`])
  const bin = join(target, 'node_modules', name, 'bin')
  const about = '[process.versions.node, process.release.lts ?? ""].join(" ")'
  const { stdout } = await run(join(bin, 'node'), ['-p', about])
  const [version, codeName] = stdout.trim().split(' ')
  return { version, folder: bin, codeName }
}

/** Returns the even major versions, which become LTS, the newest first. */
async function listEvenMajors() {
  try {
    const { stdout } = await run('npm', ['view', name, 'versions', '--json'])
    const majors = new Set(JSON.parse(stdout).map((one) => Number(one.split('.')[0])))
    return [...majors]
      .filter((major) => major % 2 === 0 && major >= 20)
      .sort((a, b) => b - a)
  } catch {
    return []
  }
}
