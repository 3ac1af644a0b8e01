// The folders in tools/ and their installation, with npm and packages of this file, without a registry.
import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = readdirSync(join(root, 'tools'))

interface Entry {
  version: string
  resolved?: string
  link?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}
interface Lock {
  packages: Record<string, Entry>
}
const readJson = (...path: string[]) =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const readLock = (folder: string): Lock => readJson(folder, 'package-lock.json')
const listDependencies = (name: string): Record<string, string> =>
  readJson('tools', name, 'package.json').dependencies

/** Libraries of programs in WebAssembly, which npm leaves out together with these. */
const inWebAssembly = /\/@(?:emnapi|napi-rs|tybys)\//

/** The packages that npm installs on Linux. */
const installedOnLinux = ({ packages }: Lock) =>
  Object.entries(packages).filter(
    ([path, { link, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      path.includes('node_modules/') &&
      !inWebAssembly.test(path) &&
      !link &&
      os.includes('linux') &&
      cpu.includes('x64') &&
      libc.includes('glibc'),
  )

test('`npm install` and `npm start` install at most 400 packages', () => {
  const folders = ['', 'tools/pages']
  const counts = folders.map((folder) => installedOnLinux(readLock(folder)).length)
  expect(counts[0]! + counts[1]!, String(counts)).toBeLessThanOrEqual(400)
})

test('the root has no packages that only pages, tests, checks and models need', () => {
  const installed = Object.keys(readLock('').packages).map((path) =>
    path.split('node_modules/').at(-1),
  )
  const others = [
    'vitest',
    'vitepress',
    'vite',
    'react',
    'typescript',
    'onnxruntime-node',
  ]
  expect(installed).not.toEqual(
    expect.arrayContaining([expect.stringMatching(`^(${others.join('|')})$`)]),
  )
})

test.each(['', ...names.map((name) => `tools/${name}`)])(
  'the lock file in "%s" names no registry',
  (folder) => {
    for (const [path, { resolved, link }] of Object.entries(readLock(folder).packages))
      expect(link ? undefined : resolved, path).toBeUndefined()
  },
)

test.each(names)(
  'tools/%s has exact versions, as its lock file, of packages that the root lacks',
  (name) => {
    const { packages } = readLock(`tools/${name}`)
    const inRoot = readLock('').packages
    for (const [one, version] of Object.entries(listDependencies(name))) {
      expect(packages[`node_modules/${one}`]!.version, one).toBe(
        version.replace(/^npm:.*@/, ''),
      )
      expect(inRoot[`node_modules/${one}`], one).toBeUndefined()
    }
  },
)

test.each(names)('links of tools/%s lead to packages without others inside', (name) => {
  // `npm install` in the root follows links, and would delete these.
  if (name === 'package') return
  const paths = Object.keys(readLock(`tools/${name}`).packages)
  for (const one of Object.keys(listDependencies(name)))
    expect(
      paths.filter((path) => path.startsWith(`node_modules/${one}/node_modules/`)),
    ).toEqual([])
})

test('folders with the same package have the same version', () => {
  const versions = new Map<string, Set<string>>()
  for (const name of names)
    for (const [one, version] of Object.entries(listDependencies(name)))
      versions.set(one, (versions.get(one) ?? new Set()).add(version))
  for (const [one, found] of versions) expect([...found], one).toHaveLength(1)
})

describe('an installation', () => {
  let clone: string
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'botstead-tools-'))
    write('package.json', { type: 'module' })
    mkdirSync(join(clone, 'scripts'))
    cpSync(join(root, 'scripts/tools.js'), join(clone, 'scripts/tools.js'))
    list('sample', ['hammer', '@own/saw'])
  })
  afterEach(() => rmSync(clone, { recursive: true }))

  function write(path: string, content: object) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    writeFileSync(join(clone, path), JSON.stringify(content))
  }

  /** Writes a folder with packages, which print their name, and its lock file. */
  function list(name: string, packages: string[]) {
    for (const one of packages) {
      const folder = `tools/${name}/own/${one}`
      write(`${folder}/package.json`, { name: one, version: '1.0.0', bin: 'main.js' })
      writeFileSync(
        join(clone, folder, 'main.js'),
        `#!/usr/bin/env node\nconsole.log('${one}')\n`,
      )
    }
    const dependencies = Object.fromEntries(
      packages.map((one) => [one, `file:own/${one}`]),
    )
    write(`tools/${name}/package.json`, { description: 'some tools', dependencies })
    execFileSync('npm', ['install', '--package-lock-only'], {
      cwd: join(clone, 'tools', name),
    })
  }

  const installTools = async (...args: string[]) =>
    (
      await promisify(execFile)(process.execPath, ['scripts/tools.js', ...args], {
        cwd: clone,
      })
    ).stdout

  const linked = (path: string) => join(clone, 'node_modules', path)
  const runLinked = (command: string) =>
    execFileSync(linked(`.bin/${command}`), { encoding: 'utf8' }).trim()

  test('installs once, says so, and links packages and their commands', async () => {
    expect(await installTools('sample')).toMatch(
      /^Installing some tools \(2 packages, once, /,
    )
    expect(readlinkSync(linked('@own/saw'))).toBe(
      '../../tools/sample/node_modules/@own/saw',
    )
    expect([runLinked('hammer'), runLinked('saw')]).toEqual(['hammer', '@own/saw'])
    expect(await installTools('sample')).toBe('')
  })

  test('links again without an installation, after npm removed the links', async () => {
    await installTools('sample')
    rmSync(linked(''), { recursive: true })
    expect(await installTools('sample')).toBe('')
    expect(runLinked('saw')).toBe('@own/saw')
  })

  test('installs again after a change of the lock file, and after an interruption', async () => {
    await installTools('sample')
    list('sample', ['hammer', '@own/saw', 'drill'])
    expect(await installTools('sample')).toMatch(/^Installing some tools \(3 packages/)
    expect(runLinked('drill')).toBe('drill')
    rmSync(join(clone, 'tools/sample/node_modules/.installed'))
    expect(await installTools('sample')).toMatch(/^Installing/)
  })

  test('keeps a package that the root has', async () => {
    write('node_modules/hammer/package.json', { name: 'hammer', version: '2.0.0' })
    await installTools('sample')
    expect(readFileSync(linked('hammer/package.json'), 'utf8')).toContain('2.0.0')
  })

  test('replaces a link that leads nowhere', async () => {
    mkdirSync(linked('.bin'), { recursive: true })
    for (const path of ['hammer', '.bin/hammer']) symlinkSync('../nowhere', linked(path))
    await installTools('sample')
    expect(runLinked('hammer')).toBe('hammer')
  })

  test('two commands at once install once', async () => {
    const outputs = await Promise.all([installTools('sample'), installTools('sample')])
    expect(outputs.filter((output) => output.includes('Installing'))).toHaveLength(1)
    expect(outputs.filter((output) => output.startsWith('Waiting until'))).toHaveLength(1)
  })

  test('an installation that fails ends with the error of npm', async () => {
    const dependencies = { hammer: 'file:own/hammer', drill: 'file:own/drill' }
    write('tools/sample/package.json', { description: 'some tools', dependencies })
    await expect(installTools('sample')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /Cannot install tools\/sample: npm ended .*\n.*npm error/,
      ),
    })
    expect(existsSync(join(clone, 'tools/sample/.installing'))).toBe(false)
  })

  test('waits for npm of a command that was killed, and ends npm when it is stopped', async () => {
    const slow = join(clone, 'bin')
    mkdirSync(slow)
    writeFileSync(join(slow, 'npm'), '#!/bin/sh\nexec sleep 100\n', { mode: 0o755 })
    const lock = join(clone, 'tools/sample/.installing')
    const readPids = () =>
      existsSync(lock) ? readFileSync(lock, 'utf8').split(' ').map(Number) : []
    const begin = async () => {
      const env = { ...process.env, PATH: `${slow}:${process.env.PATH}` }
      const child = spawn(process.execPath, ['scripts/tools.js', 'sample'], {
        cwd: clone,
        env,
      })
      const isInstalling = () => readPids().length === 2 && readPids()[0] === child.pid
      await expect.poll(isInstalling, { timeout: 20_000 }).toBe(true)
      return { child, npm: readPids()[1]! }
    }
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    const killed = await begin()
    killed.child.kill('SIGKILL')
    const next = installTools('sample')
    await sleep(1_000)
    expect(readPids()[1]).toBe(killed.npm)
    process.kill(killed.npm)
    expect(await next).toMatch(/^(?:Waiting until another command .*\n)+Installing/)

    rmSync(join(clone, 'tools/sample/node_modules'), { recursive: true })
    const stopped = await begin()
    stopped.child.kill('SIGTERM')
    await expect.poll(() => isRunning(stopped.npm), { timeout: 10_000 }).toBe(false)
  }, 60_000)

  test('an unknown name lists the folders', async () => {
    await expect(installTools('nothing')).rejects.toMatchObject({
      stderr: expect.stringContaining('tools/nothing does not exist: specify sample'),
    })
  })
})
