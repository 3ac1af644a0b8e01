// Computes vectors of texts, and scores of pairs of texts, by an ONNX model. Texts of similar length
// run together, so that little is computed for padding.
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { LocalModel } from './model-folder.ts'
import type { Encoder } from './model-messages.ts'

const inputs = ['input_ids', 'attention_mask', 'token_type_ids']
/** With padding, of the texts that run together: bounds the memory. */
const maxTokensAtOnce = 4_096
/** More characters than a model reads. Tokenizing a long text takes long. */
const charactersPerToken = 32

interface Tokens {
  ids: number[]
  types: number[]
}

export async function openOnnxEncoder(model: LocalModel): Promise<Encoder> {
  const session = await InferenceSession.create(model.file, {
    executionProviders: ['cpu'],
    // The server needs the other cores.
    intraOpNumThreads: Math.max(1, Math.floor(availableParallelism() / 2)),
  })
  const unknown = session.inputNames.find((name) => !inputs.includes(name))
  if (unknown)
    throw new Error(`the model needs the input "${unknown}", which is not supported`)
  const encoder = new OnnxEncoder(model, session, await openTokenizer(model.folder))
  // Fails now if the output is not usable.
  await (model.kind === 'rerank'
    ? encoder.rank('text', ['text'])
    : encoder.embed(['text']))
  return encoder
}

async function openTokenizer(folder: string): Promise<Tokenizer> {
  const [content, config] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json'].map(async (name) =>
      JSON.parse(await readFile(join(folder, name), 'utf8')),
    ),
  )
  return new Tokenizer(content, config)
}

class OnnxEncoder implements Encoder {
  readonly #model: LocalModel
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer

  constructor(model: LocalModel, session: InferenceSession, tokenizer: Tokenizer) {
    this.#model = model
    this.#session = session
    this.#tokenizer = tokenizer
  }

  async embed(texts: string[]) {
    const read = texts.map((text) => this.#tokensOf(text))
    const rows = await this.#run(read, (output, at, { ids }) =>
      this.#pool(output, at, ids.length),
    )
    return { vectors: rows.map(toUnit), tokens: countTokens(read) }
  }

  async rank(question: string, texts: string[]) {
    const read = texts.map((text) => this.#tokensOf(question, text))
    const rows = await this.#run(read, ({ data }, at) => Number(data[at]))
    return rows.map((logit) => 1 / (1 + Math.exp(-logit)))
  }

  /** Cuts the tokens at the maximum, and keeps the last one, which ends the text. */
  #tokensOf(text: string, pair?: string): Tokens {
    const { maxTokens } = this.#model
    const max = maxTokens * charactersPerToken
    const { ids, token_type_ids: types } = this.#tokenizer.encode(text.slice(0, max), {
      text_pair: pair === undefined ? null : pair.slice(0, max),
      return_token_type_ids: true,
    })
    if (ids.length <= maxTokens) return { ids, types }
    const cut = (all: number[]) => [...all.slice(0, maxTokens - 1), all.at(-1)!]
    return { ids: cut(ids), types: cut(types) }
  }

  /** Runs batches, and returns the result for each text in the order of the texts. */
  async #run<Result>(
    texts: Tokens[],
    read: (output: Output, at: number, tokens: Tokens) => Result,
  ): Promise<Result[]> {
    const results: Result[] = []
    for (const batch of toBatches(texts)) {
      const output = await this.#infer(batch.map((at) => texts[at]!))
      for (const [row, at] of batch.entries()) results[at] = read(output, row, texts[at]!)
    }
    return results
  }

  async #infer(batch: Tokens[]): Promise<Output> {
    const length = Math.max(...batch.map(({ ids }) => ids.length))
    const numbers = (of: (tokens: Tokens, at: number) => number | undefined) => {
      const values = new BigInt64Array(batch.length * length)
      for (const [row, tokens] of batch.entries())
        for (let at = 0; at < length; at++)
          values[row * length + at] = BigInt(of(tokens, at) ?? 0)
      return new Tensor('int64', values, [batch.length, length])
    }
    const feeds: Record<string, Tensor> = {
      input_ids: numbers(({ ids }, at) => ids[at]),
      attention_mask: numbers(({ ids }, at) => (at < ids.length ? 1 : 0)),
      token_type_ids: numbers(({ types }, at) => types[at]),
    }
    const { inputNames, outputNames } = this.#session
    const outputs = await this.#session.run(
      Object.fromEntries(inputNames.map((name) => [name, feeds[name]!])),
    )
    const { dims, data } = outputs[outputNames[0]!]!
    if (!(data instanceof Float32Array))
      throw new Error(`the output "${outputNames[0]}" does not consist of 32-bit numbers`)
    return { dims, data }
  }

  /** Some models pool by themselves: their output has one vector for each text. */
  #pool({ dims, data }: Output, row: number, tokens: number): Float32Array {
    const width = dims.at(-1)!
    const length = dims.length === 2 ? 1 : dims[1]!
    const from = row * length * width
    if (length === 1 || this.#model.pooling === 'cls')
      return data.slice(from, from + width)
    const sum = new Float32Array(width)
    for (let at = 0; at < tokens * width; at++) sum[at % width]! += data[from + at]!
    return sum
  }
}

interface Output {
  dims: readonly number[]
  data: Float32Array
}

const countTokens = (texts: Tokens[]) =>
  texts.reduce((sum, { ids }) => sum + ids.length, 0)

/** Returns the positions of the texts that run together, the shortest texts first. */
function toBatches(texts: Tokens[]): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  for (const at of [...texts.keys()].sort(
    (a, b) => lengthAt(texts, a) - lengthAt(texts, b),
  )) {
    if ((batch.length + 1) * lengthAt(texts, at) > maxTokensAtOnce && batch.length > 0) {
      batches.push(batch)
      batch = []
    }
    batch.push(at)
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

const lengthAt = (texts: Tokens[], at: number) => texts[at]!.ids.length

/** The direction of the sum is that of the mean. */
function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length))
    throw new Error('the model returned values that are not numbers')
  return length === 0 ? vector : vector.map((value) => value / length)
}
