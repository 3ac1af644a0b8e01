import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  built,
  ordinaryUser,
  ordinaryUserIsShutOut,
  runNodeScript,
  shutOut,
} from '../../../../test/support/processes.ts'
import { lockDataFolder } from './lock.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-lock-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process that tries to take the lock, prints the result, and keeps running. */
async function startHolder(): Promise<{ child: ChildProcess; output: string }> {
  const script = `
    import { lockDataFolder } from ${JSON.stringify(built('core/db/connection/lock.js'))}
    const print = ({ message }) => console.log(message)
    await lockDataFolder(${JSON.stringify(folder)}).then(() => console.log('holds'), print)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [output] = await once(createInterface(child.stdout!), 'line')
  return { child, output }
}

it('names the process that holds the folder, and its URL', async () => {
  const lock = await lockDataFolder(folder)
  await lock.announce('http://127.0.0.1:4000')
  await expect(lockDataFolder(folder)).rejects.toThrow(
    `Another Botstead server uses the data folder ${folder} ` +
      `(process ${process.pid}, at http://127.0.0.1:4000)`,
  )
})

it('is free again after a release, any number of times', async () => {
  for (let round = 0; round < 3; round++) await (await lockDataFolder(folder)).release()
  expect(await readdir(join(folder, 'lock'))).toEqual(['3'])
})

it('is taken over at once from a killed process', async () => {
  const { child, output } = await startHolder()
  expect(output).toBe('holds')
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${child.pid})`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = performance.now()
  await lockDataFolder(folder)
  expect(performance.now() - before).toBeLessThan(2000)
})

it('is taken over when another process has the id of the dead one', async () => {
  const lock = await lockDataFolder(folder)
  const file = join(folder, 'lock', '1')
  const holder = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...holder, startedAt: '1' }))
  await lockDataFolder(folder)
  expect(await readdir(join(folder, 'lock'))).toEqual(['2'])
  await lock.release()
})

it('is respected across containers while its holder renews it, and taken over afterwards', async () => {
  const [living, dead] = [join(folder, 'living'), join(folder, 'dead')]
  for (const data of [living, dead]) {
    const lock = await lockDataFolder(data)
    const file = join(data, 'lock', '1')
    const holder = JSON.parse(await readFile(file, 'utf8'))
    if (data === dead) await lock.release()
    await writeFile(
      file,
      JSON.stringify({ ...holder, place: 'elsewhere', host: 'elsewhere', pid: 1 }),
    )
  }
  const [refused] = await Promise.all([
    lockDataFolder(living).catch((error) => error),
    lockDataFolder(dead),
  ])
  expect(refused.message).toContain('process 1 on elsewhere')
})

it('is taken by exactly one of many processes that find a stale lock', async () => {
  const first = await startHolder()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const started = await Promise.all(Array.from({ length: 6 }, startHolder))
  const holders = started.filter(({ output }) => output === 'holds')
  expect(holders).toHaveLength(1)
  for (const { output } of started)
    if (output !== 'holds') expect(output).toContain(`process ${holders[0]!.child.pid})`)
})

it('is taken by exactly one of many concurrent calls in a process', async () => {
  for (let round = 0; round < 30; round++) {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => lockDataFolder(folder)),
    )
    const won = results.filter((result) => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]!.value.release()
  }
})

it('reports in one sentence that the folder is not writable', async ({ skip }) => {
  skip(ordinaryUserIsShutOut, shutOut)
  const readOnly = join(folder, 'read-only')
  await mkdir(readOnly)
  await chmod(readOnly, 0o500)
  await chmod(folder, 0o755)
  const output = await runNodeScript(
    `
    import { lockDataFolder } from ${JSON.stringify(built('core/db/connection/lock.js'))}
    const data = ${JSON.stringify(join(readOnly, 'data'))}
    await lockDataFolder(data).catch((error) => console.log(error.message))`,
    ordinaryUser,
  )
  expect(output.trim()).toBe(
    `The data folder ${join(readOnly, 'data')} is not writable (EACCES): ` +
      'set BOTSTEAD_DATA to another folder, or change its permissions',
  )
})
