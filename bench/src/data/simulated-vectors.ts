// Vectors that resemble those of many passages: mixtures of real ones, with noise. The real ones are those of
// the included model for paragraphs of bench/answers and bench/retrieval.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { openIncludedEmbeddings } from '../../../packages/server/dist/features/models/local/included-embeddings.js'
import { progress, shuffled } from '../report.ts'

const folders = ['../answers', '../retrieval/companies', '../retrieval/documents']
const neighbours = 10
/** Similarity of the most similar other real paragraph: about 0.6; of simulated passages: 0.8. */
const noise = 0.35

export interface VectorSimulation {
  dimensions: number
  /** A passage: near a real one, towards a similar and any other. */
  passage(): Float32Array
  /** A question that a passage answers; their similarity is about 0.7. */
  questionTo(passage: Float32Array): Float32Array
}

/** Embeds some paragraphs, about five in a second. Throws without the packages of the included model. */
export async function simulateVectors(paragraphs: number): Promise<VectorSimulation> {
  progress(`embedding ${paragraphs} paragraphs`)
  const texts = shuffled(await readParagraphs()).slice(0, paragraphs)
  const log = pino({ level: 'error' })
  const embeddings = openIncludedEmbeddings({ memoryMb: 2_048, timeoutMs: 300_000, log })
  if (!embeddings) throw new Error('The packages of the included model are not installed')
  const found = await embeddings.embed(texts, { timeoutMs: 600_000, botId: null })
  await embeddings.close()
  return simulation(found.filter((vector) => vector !== null))
}

async function readParagraphs(): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (name) => {
      const folder = fileURLToPath(new URL(`../${name}`, import.meta.url))
      return (await readdir(folder)).map((file) => `${folder}/${file}`)
    }),
  )
  const texts = await Promise.all(
    files
      .flat()
      .filter((file) => /\.(?:md|yaml)$/.test(file))
      .map((file) => readFile(file, 'utf8')),
  )
  return texts
    .flatMap((text) => text.split(/\n\s*\n|\n *- /))
    .map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 480))
    .filter((text) => text.length > 80)
}

function simulation(real: Float32Array[]): VectorSimulation {
  const similar = real.map((one) =>
    [...real.keys()]
      .sort((a, b) => similarity(one, real[b]!) - similarity(one, real[a]!))
      .slice(1, neighbours + 1),
  )
  const any = (count: number) => Math.floor(Math.random() * count)
  return {
    dimensions: real[0]!.length,
    passage() {
      const at = any(real.length)
      const near = real[similar[at]![any(neighbours)]!]!
      const other = real[any(real.length)]!
      const [toNear, toOther] = [Math.random() * 0.8, Math.random() * 0.4]
      const mixed = real[at]!.map(
        (value, i) => value + toNear * near[i]! + toOther * other[i]!,
      )
      return withNoise(toUnit(mixed), noise)
    },
    questionTo(passage) {
      const other = real[any(real.length)]!
      return withNoise(
        passage.map((value, i) => value + 0.3 * other[i]!),
        0.7,
      )
    },
  }
}

/** Adds noise of this length, and returns a vector of length 1. */
function withNoise(vector: Float32Array, length: number): Float32Array {
  const scale = length * Math.sqrt(4 / vector.length)
  return toUnit(
    vector.map(
      (value) => value + scale * (Math.random() + Math.random() + Math.random() - 1.5),
    ),
  )
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(similarity(vector, vector))
  return vector.map((value) => value / length)
}

/** Of vectors of length 1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}
