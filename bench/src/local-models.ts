// Local models: `node bench/dist/local-models.js [--models <folder>] [--write <folder>]`. Measures
// embeddings per second, the time of a question, and the memory of the process. Without a folder of
// models, it writes models of the size of all-MiniLM-L6-v2 with random weights: the weights do not
// affect the speed. `--write` only writes these.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openLocalModels } from '../../packages/server/dist/features/models/local/local-models.js'
import { writeCrossEncoder, writeSentenceModel } from './onnx-models.ts'
import { listDescendants, residentKb } from './processes.ts'
import { digits, note, printTable, progress, quantile, spread } from './report.ts'

const { values: options } = parseArgs({
  options: { models: { type: 'string' }, write: { type: 'string' } },
})

/** The size of all-MiniLM-L6-v2 and of ms-marco-MiniLM-L6-v2. */
const shape = {
  hidden: 384,
  heads: 12,
  layers: 6,
  maxTokens: 512,
  vocabulary: 30_522,
  groups: [],
}
const rounds = 7
const textsPerRound = 160
const questions = 50
const passages = 20
/** About 130 tokens, as the passages of files have. */
const passage = Array.from({ length: 128 }, (_, at) => `word${1_000 + at * 97}`).join(' ')
const question = 'word2000 word3000 word4000 word5000 word6000 word7000'

function write(folder: string): void {
  writeSentenceModel(join(folder, 'sentences'), shape)
  writeCrossEncoder(join(folder, 'reranker'), shape)
}

if (options.write) write(options.write)
else await measure()

async function measure() {
  const temporary = await mkdtemp(join(tmpdir(), 'botstead-bench-models-'))
  if (!options.models) write(temporary)
  const folder = options.models ?? temporary
  const log = pino({ level: 'silent' })
  const opened = await openLocalModels({
    folder,
    memoryMb: 8_192,
    timeoutMs: 600_000,
    log,
  })
  try {
    const rows: string[][] = []
    for (const model of opened.models) {
      progress(model.id)
      rows.push(await (model.kind === 'rerank' ? ranking(model) : embedding(model)))
    }
    const kb = listDescendants(process.pid).reduce((sum, pid) => sum + residentKb(pid), 0)
    printTable('Local models', ['model', 'passages per second', 'one request'], rows)
    const threads = Math.max(1, Math.floor(availableParallelism() / 2))
    note(
      `Threads: ${threads}. Memory of the process with all models: ${digits(kb / 1_024)} MB.`,
    )
  } finally {
    await opened.close()
    await rm(temporary, { recursive: true })
  }
}

type Model = Awaited<ReturnType<typeof openLocalModels>>['models'][number]

async function embedding({ id, name, provider }: Model): Promise<string[]> {
  const model = provider.local!.embedding(name)
  const embed = (values: string[]) => model.doEmbed({ values })
  const batches = Array.from({ length: textsPerRound / 16 }, () =>
    Array(16).fill(passage),
  )
  const rates = await measureRates(async () => {
    for (const batch of batches) await embed(batch)
  }, textsPerRound)
  const times = await measureTimes(() => embed([question]))
  return [id, spread(rates), `question: ${shown(times)}`]
}

async function ranking({ id, name, provider }: Model): Promise<string[]> {
  const model = provider.local!.reranking(name)
  const documents = {
    type: 'text' as const,
    values: Array<string>(passages).fill(passage),
  }
  const rank = () => model.doRerank({ query: question, documents })
  const rates = await measureRates(rank, passages)
  const times = await measureTimes(rank)
  return [id, spread(rates), `${passages} passages: ${shown(times)}`]
}

async function measureRates(
  work: () => PromiseLike<unknown>,
  count: number,
): Promise<number[]> {
  await work()
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await work()
    rates.push((count * 1_000) / (performance.now() - from))
  }
  return rates
}

async function measureTimes(work: () => PromiseLike<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < questions; at++) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return times
}

function shown(times: number[]): string {
  return `${digits(quantile(times, 0.5))} ms (95 %: ${digits(quantile(times, 0.95))} ms)`
}
