// The example bots of this package, which scripts/examples.js packs from the folder `examples` of
// the repository.
import { readdir, readFile } from 'node:fs/promises'
import { ApiError } from '@botstead/contract'

interface ExampleHeading {
  name: string
  title: string
  description: string
  needsModel: boolean
  /** Bytes of all files. */
  size: number
}

interface Example extends ExampleHeading {
  /** Texts by path. */
  files: Record<string, string>
}

const folder = new URL('../../../dist/examples/', import.meta.url)
const fileName = /^[a-z0-9-]+\.json$/

let packed: Promise<Map<string, Example>> | undefined

/** Reads the examples on first use; the files change only with the server's version. */
function packedExamples(): Promise<Map<string, Example>> {
  packed ??= readExamples().catch((error) => {
    packed = undefined
    throw error
  })
  return packed
}

async function readExamples(): Promise<Map<string, Example>> {
  const names = (await readdir(folder)).filter((name) => fileName.test(name)).sort()
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(name, folder), 'utf8')) as Example
  return new Map(
    (await Promise.all(names.map(read))).map((example) => [example.name, example]),
  )
}

/** What owners look for first; then the others, which show developers a part of the system. */
const wanted = ['faq-bot', 'appointment-bot', 'bilingual-bot', 'greeting-bot', 'echo-bot']

const toRank = ({ name }: ExampleHeading) => {
  const index = wanted.indexOf(name)
  return index < 0 ? wanted.length : index
}

/** Those that need no model come first, of these the most wanted. */
export async function listExamples(): Promise<ExampleHeading[]> {
  const headings = [...(await packedExamples()).values()].map(
    ({ files: _files, ...rest }) => rest,
  )
  return headings.sort(
    (a, b) => Number(a.needsModel) - Number(b.needsModel) || toRank(a) - toRank(b),
  )
}

/** Throws ResourceNotFound. */
export async function findExample(name: string): Promise<Example> {
  const found = (await packedExamples()).get(name)
  if (!found) throw new ApiError('ResourceNotFound', `Example "${name}" was not found`)
  return found
}
