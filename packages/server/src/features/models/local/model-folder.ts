// Reads the folder of local models (BOTSTEAD_LOCAL_MODELS). Each folder in it is a model in the
// layout of Hugging Face: config.json, tokenizer.json, tokenizer_config.json and the ONNX file.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@botstead/lib'

export interface LocalModel {
  name: string
  folder: string
  /** `rerank`: a cross-encoder, which scores pairs of question and passage. */
  kind: 'embedding' | 'rerank'
  /** Path of the ONNX file. */
  file: string
  /** Longer texts are cut. */
  maxTokens: number
  /** How the vectors of tokens become one vector of the text. */
  pooling: 'mean' | 'cls'
}

/** The quantized file is smaller and faster. */
const modelFiles = ['model_quantized.onnx', 'model.onnx'].flatMap((name) => [
  join('onnx', name),
  name,
])
/** Longer texts take too long on a CPU. */
const maxTokensOfAll = 8_192

/** Throws StartError. */
export async function readLocalModels(folder: string): Promise<LocalModel[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw new StartError(
      `BOTSTEAD_LOCAL_MODELS: cannot read "${folder}": ${error.message}`,
    )
  })
  const names = entries.flatMap((entry) =>
    !entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [],
  )
  if (names.length === 0)
    throw new StartError(
      `BOTSTEAD_LOCAL_MODELS: "${folder}" contains no folder of a model`,
    )
  return Promise.all(names.sort().map((name) => readModel(join(folder, name), name)))
}

interface ModelConfig {
  architectures?: string[]
  max_position_embeddings?: number
  num_labels?: number
  id2label?: Record<string, string>
}

async function readModel(folder: string, name: string): Promise<LocalModel> {
  const config = await readJson<ModelConfig>(folder, 'config.json')
  await readJson(folder, 'tokenizer.json')
  const tokenizer = await readJson<{ model_max_length?: number }>(
    folder,
    'tokenizer_config.json',
  )
  const sentences = await readJson<{ max_seq_length?: number }>(
    folder,
    'sentence_bert_config.json',
    {},
  )
  const lengths = [
    config.max_position_embeddings,
    tokenizer.model_max_length,
    sentences.max_seq_length,
  ]
  const isRanking =
    config.architectures?.[0]?.endsWith('ForSequenceClassification') === true
  if (isRanking) checkLabels(folder, config)
  return {
    name,
    folder,
    kind: isRanking ? 'rerank' : 'embedding',
    file: await findModelFile(folder),
    maxTokens: Math.min(...lengths.filter((length) => isLength(length)), maxTokensOfAll),
    pooling: isRanking ? 'cls' : await readPooling(folder),
  }
}

const isLength = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 1

/** Other classifiers do not score how well two texts match. */
function checkLabels(folder: string, { num_labels, id2label }: ModelConfig): void {
  const labels = num_labels ?? Object.keys(id2label ?? { 0: '' }).length
  if (labels !== 1)
    throw broken(
      folder,
      `the model classifies texts by ${labels} labels; a reranker has one`,
    )
}

async function findModelFile(folder: string): Promise<string> {
  for (const file of modelFiles) {
    const path = join(folder, file)
    if ((await stat(path).catch(() => null))?.isFile()) return path
  }
  throw broken(folder, `it has none of the files ${modelFiles.join(', ')}`)
}

/** Models without this file are made for the mean. */
async function readPooling(folder: string): Promise<LocalModel['pooling']> {
  const modes = await readJson<Record<string, unknown>>(
    folder,
    join('1_Pooling', 'config.json'),
    {
      pooling_mode_mean_tokens: true,
    },
  )
  if (modes.pooling_mode_cls_token === true) return 'cls'
  if (modes.pooling_mode_mean_tokens === true) return 'mean'
  throw broken(
    folder,
    '1_Pooling/config.json has neither the mode of the mean nor of the CLS token',
  )
}

/** Throws if the file is missing, unless `otherwise` is given. */
async function readJson<Content extends object>(
  folder: string,
  name: string,
  otherwise?: Content,
): Promise<Content> {
  let text: string
  try {
    text = await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if (otherwise && (error as { code?: string }).code === 'ENOENT') return otherwise
    throw broken(folder, `cannot read ${name}: ${(error as Error).message}`)
  }
  try {
    const content = JSON.parse(text)
    if (typeof content === 'object' && content !== null) return content
    throw new Error('it is not an object')
  } catch (error) {
    throw broken(folder, `${name} is not valid: ${(error as Error).message}`)
  }
}

const broken = (folder: string, reason: string) =>
  new StartError(
    `BOTSTEAD_LOCAL_MODELS: the model in "${folder}" cannot be used: ${reason}`,
  )
