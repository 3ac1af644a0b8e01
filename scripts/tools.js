// Installs the packages of commands other than `npm start`: each folder in tools/ lists those of tests,
// checks, documentation or benchmarks, with its own lock file. `npm install` in the root leaves them out.
//   node scripts/tools.js tests browsers
// Links in the root's node_modules lead to the packages that a folder lists, so that files and commands of
// this repository find them. `npm install` in the root removes the links; the next command links again.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
const secondsPerPackage = 0.03
/** A person waits at most this long for a sign of progress. */
const progressMs = 2_500

const toFolder = (name) => join(root, 'tools', name)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Installs the packages of tools/<name> for each name, unless they are installed, and links them into the
 * root's node_modules. Prints a line before it installs. Throws if npm fails.
 */
export async function installTools(...names) {
  for (const name of names) {
    if (!existsSync(toFolder(name)))
      throw new Error(
        `tools/${name} does not exist: specify ${readdirSync(toFolder('')).join(', ')}`,
      )
    if (!isInstalled(name))
      await whileLocked(name, () => isInstalled(name) || install(name))
    link(name)
  }
}

/** Written last: an interrupted installation leaves it out. */
const toMark = (name) => join(toFolder(name), 'node_modules/.installed')

function toDigest(name) {
  const lock = readFileSync(join(toFolder(name), 'package-lock.json'))
  return createHash('sha256').update(lock).digest('hex')
}

function isInstalled(name) {
  const mark = toMark(name)
  return existsSync(mark) && readFileSync(mark, 'utf8') === toDigest(name)
}

async function install(name) {
  const { description } = readJson(join(toFolder(name), 'package.json'))
  const total = listPackages(name).length
  const seconds = Math.ceil((total * secondsPerPackage) / 5) * 5
  console.log(
    `Installing ${description} (${total} packages, once, about ${seconds} s) ...`,
  )
  const stop = reportProgress(name)
  try {
    await runNpm(name)
  } finally {
    stop()
  }
  writeFileSync(toMark(name), toDigest(name))
}

/** Returns the folders of the packages for this platform, as npm will create them. */
function listPackages(name) {
  const { packages } = readJson(join(toFolder(name), 'package-lock.json'))
  const permits = (list, own) => !list || list.includes(own)
  return Object.entries(packages)
    .filter(
      ([path, { os, cpu }]) =>
        path.includes('node_modules/') &&
        permits(os, process.platform) &&
        permits(cpu, process.arch),
    )
    .map(([path]) => join(toFolder(name), path))
}

/** Returns a function that ends the report. */
function reportProgress(name) {
  const start = Date.now()
  const folders = listPackages(name)
  const timer = setInterval(() => {
    const present = folders.filter((folder) =>
      existsSync(join(folder, 'package.json')),
    ).length
    const seconds = Math.round((Date.now() - start) / 1000)
    console.log(`  ${present} of ${folders.length} packages after ${seconds} s`)
  }, progressMs)
  return () => clearInterval(timer)
}

/** Runs `npm ci` with the settings of the root, which npm does not read here. */
async function runNpm(name) {
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const npm = spawn('npm', args, {
    cwd: toFolder(name),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  })
  // It may outlive this process.
  if (npm.pid) writeFileSync(toLock(name), `${process.pid} ${npm.pid}`)
  const stop = () => npm.kill() && process.exit(143)
  process.once('SIGTERM', stop)
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve, reject) =>
    npm.on('error', reject).on('close', resolve),
  )
  process.off('SIGTERM', stop)
  if (code !== 0)
    throw new Error(
      `Cannot install tools/${name}: npm ended with code ${code}.\n${output}`,
    )
}

/**
 * Links the packages that tools/<name> lists, and their commands, where the root has none. A package
 * with others inside gets no link: `npm install` in the root would follow it, and delete those.
 */
function link(name) {
  const modules = join(toFolder(name), 'node_modules')
  const { dependencies } = readJson(join(toFolder(name), 'package.json'))
  for (const one of Object.keys(dependencies)) {
    if (!existsSync(join(modules, one, 'node_modules')))
      linkTo(join(modules, one), join(root, 'node_modules', one))
    for (const command of isWindows ? [] : listCommands(join(modules, one)))
      linkTo(join(modules, '.bin', command), join(root, 'node_modules/.bin', command))
  }
}

function listCommands(folder) {
  const { name, bin = {} } = readJson(join(folder, 'package.json'))
  return typeof bin === 'string' ? [name.replace(/^@.*\//, '')] : Object.keys(bin)
}

function linkTo(target, path) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  // A link that leads nowhere.
  if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path)
  symlinkSync(isWindows ? target : relative(dirname(path), target), path, 'junction')
}

/** Contains the ids of the processes that install. */
const toLock = (name) => join(toFolder(name), '.installing')

/** Two commands must not install the same packages at once: the second one waits. */
async function whileLocked(name, work) {
  const lock = toLock(name)
  while (!tryLock(lock)) {
    console.log(`Waiting until another command has installed tools/${name} ...`)
    await sleep(progressMs)
  }
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Takes over the lock of processes that ended without removing it. */
function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const pids = readFileSync(lock, 'utf8').split(' ').map(Number)
    if (!pids.some(isRunning)) rmSync(lock, { force: true })
    return false
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await installTools(...process.argv.slice(2))
