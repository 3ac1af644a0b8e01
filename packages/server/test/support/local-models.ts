// A folder of local models with real ONNX files, and the process that runs them.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { writeCrossEncoder, writeSentenceModel } from '../../../../bench/src/onnx-models.ts'
import { installTools } from '../../../../scripts/tools.js'
import { descendants } from '../../src/core/lib/process/process-life.ts'

await installTools('models')

/** Words of one line mean the same. */
const groups = [
  'refund reimburse repay money',
  'parcel shipment delivery package',
  'password login credentials account',
  'oven bake cake sugar',
  'rain weather sun umbrella',
].map((line) => line.split(' '))

export const small = { hidden: 64, heads: 4, layers: 1, maxTokens: 128, groups }
/** Takes seconds for a batch of long texts. */
export const slow = { hidden: 384, heads: 12, layers: 6, maxTokens: 512, groups }

export const newFolder = () => mkdtempSync(join(tmpdir(), 'botstead-local-models-'))

/** Returns a folder with the sentence model `sentences` and the cross-encoder `pairs`. */
export function writeModels(): string {
  const folder = newFolder()
  writeSentenceModel(join(folder, 'sentences'), small)
  writeCrossEncoder(join(folder, 'pairs'), small)
  return folder
}

/** Returns the ids of this process's model processes; bubblewrap adds a process to each. */
export const modelProcesses = (): number[] =>
  descendants(process.pid).filter((pid) => commandOf(pid).includes('model-child.js'))

function commandOf(pid: number): string {
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
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
