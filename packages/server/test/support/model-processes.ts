// The processes of local models that this process has started.
import { readFileSync } from 'node:fs'
import { descendants } from '@botstead/lib'
import { vi } from 'vitest'

/** Returns the ids of this process's model processes; bubblewrap adds a process to each. */
export const modelProcesses = (): number[] =>
  descendants(process.pid).filter((pid) => readCommand(pid).includes('model-child.js'))

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** Kills the model process as soon as it computes. */
export async function killModelProcess(): Promise<void> {
  const pid = await vi.waitUntil(() => modelProcesses().at(-1))
  const before = cpuTicks(pid)
  await vi.waitUntil(() => cpuTicks(pid) > before + 5, { timeout: 10_000, interval: 5 })
  process.kill(pid, 'SIGKILL')
}

function cpuTicks(pid: number): number {
  const fields = readStat(pid)
  return Number(fields[11]) + Number(fields[12])
}

/** From 0 to 19, the lowest priority. */
export const readNiceness = (pid: number): number => Number(readStat(pid)[16])

/** Returns the fields after the name of the process. */
const readStat = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
