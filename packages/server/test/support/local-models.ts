// A folder of local models with real ONNX files.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  writeCrossEncoder,
  writeSentenceModel,
} from '../../../../bench/src/onnx-models.ts'
import { installTools } from '../../../../scripts/tools.js'

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
