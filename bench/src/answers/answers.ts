// Right, wrong and refused answers about the documents of small companies (bench/answers) in the
// default installation, and with search by words only. The set is for evaluation: do not tune for it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../botstead-server.ts'
import { digits, median, note, progress } from '../report.ts'
import { classify, search } from './classes.ts'
import { type Company, type Question, readCompanies } from './companies.ts'
import {
  type CompanyBot,
  createCompanyBot,
  type Indexed,
  waitForIndex,
} from './company-bot.ts'
import {
  printAnswers,
  printKinds,
  printSearch,
  type Result,
  toPercent,
} from './tables.ts'
import { openVisitor } from './visitor.ts'

const noEndpoint = {
  BOTSTEAD_EMBEDDINGS_URL: undefined,
  BOTSTEAD_EMBEDDINGS_MODEL: undefined,
}
const byWords = { ...noEndpoint, BOTSTEAD_INCLUDED_MODEL: '0' }

/** Questions that are asked at a time. */
const atOnce = 4
/** Characters of an answer that a visitor reads at a glance. */
const shortAnswer = 200

interface Measured extends Indexed {
  results: Result[]
}

/** `only`: ids of companies; without it, all. */
export async function measureAnswers({ only }: { only?: string[] }) {
  const all = await readCompanies()
  const companies = only ? all.filter(({ id }) => only.includes(id)) : all
  const folder = await mkdtemp(join(tmpdir(), 'botstead-answers-'))
  const installed = await measure('default', companies, noEndpoint)
  await report(folder, 'default installation', installed)
  if (installed.model)
    await report(folder, 'words only', await measure('words', companies, byWords))
  else
    note(
      'The default installation has no embedding model: its searches are by words only.',
    )
  const { BOTSTEAD_EMBEDDINGS_MODEL: model } = process.env
  if (model) await report(folder, model, await measure(model, companies, {}))
}

async function report(
  folder: string,
  name: string,
  { model, passages, results }: Measured,
) {
  const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
  await writeFile(path, `${JSON.stringify(results, null, 2)}\n`)
  printAnswers(`Answers: ${name}`, results, [
    model
      ? `Embedding model: ${model}; ${passages} passages.`
      : 'Without an embedding model.',
    describeLengths(results),
  ])
  printKinds(`Answers by kind of question: ${name}`, results)
  printSearch(`Search alone: ${name}`, results)
  note(`Questions with answers, scores and classes: ${path}`)
}

/** Says how much of a right answer a visitor has to read. */
function describeLengths(results: Result[]): string {
  const right = results.filter((each) => each.class === 'right')
  const lengths = right.map(({ answer }) => answer.length)
  const short = lengths.filter((length) => length <= shortAnswer)
  const share = toPercent(short.length, right.length)
  return (
    `Right answers have ${digits(median(lengths))} characters (median), with their source; ${share} have ` +
    `at most ${shortAnswer}.`
  )
}

async function measure(
  name: string,
  companies: Company[],
  settings: NodeJS.ProcessEnv,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  const server = await startServer(folder, [], settings)
  try {
    progress(
      `answers (${name}): uploading the documents of ${companies.length} companies`,
    )
    const bots: CompanyBot[] = []
    for (const company of companies) bots.push(await createCompanyBot(server, company))
    const results: Result[] = []
    const indexed: Indexed = { model: null, passages: 0 }
    for (const bot of bots) {
      const { model, passages } = await waitForIndex(bot)
      progress(`answers (${name}): asking ${bot.company.name}`)
      results.push(...(await askAll(server, bot)))
      Object.assign(indexed, {
        model,
        passages: (indexed.passages ?? 0) + (passages ?? 0),
      })
    }
    return { ...indexed, results }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function askAll({ http }: RunningServer, bot: CompanyBot): Promise<Result[]> {
  const { company, client, chatPath } = bot
  const visitor = await openVisitor(http, chatPath)
  const results: Result[] = []
  const ask = async (question: Question) => {
    const answer = await visitor.ask(question.text)
    const found = await search(client, question)
    results.push({
      id: question.id,
      language: company.language,
      kind: question.kind,
      question: question.text,
      expected: question.has?.source ?? null,
      documents: question.documents,
      class: await classify(answer, { question, company, visitor }),
      score: found.score,
      positions: found.positions,
      answer: answer.text,
      buttons: answer.buttons,
    })
  }
  const left = company.questions.values()
  const work = async () => {
    for (const question of left) await ask(question)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
}
