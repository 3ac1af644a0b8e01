// Answers to questions about small companies, by words only (bench/retrieval/companies).
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Company,
  makeCompany,
  readCompanies,
} from '../../../../test/support/companies.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { findAnswers } from './answers.ts'
import { noEmbedder } from './embedder.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 90_000)
afterAll(() => scene?.close())

type Outcome = 'right' | 'wrong' | 'missed' | 'refused'

async function askAll(company: Company): Promise<[question: string, outcome: Outcome][]> {
  const { db } = scene.app.services
  const botId = await makeCompany(db, scene.workspaceId, company)
  const outcomes: [string, Outcome][] = []
  for (const [query, expected] of Object.entries(company.questions)) {
    const search = { query, viewer: null, tags: [] }
    const { answers } = await findAnswers(db, botId, search, { embedder: noEmbedder })
    const isRight = answers.some(({ text }) =>
      expected?.some((part) => text.includes(part)),
    )
    const without = expected ? 'missed' : 'refused'
    const given = isRight ? 'right' : 'wrong'
    outcomes.push([query, answers.length === 0 ? without : given])
  }
  return outcomes
}

test('answers most questions, and hardly any wrongly', { timeout: 300_000 }, async () => {
  const outcomes: [string, Outcome][] = []
  const companies = await readCompanies()
  for (const company of companies) outcomes.push(...(await askAll(company)))
  const count = (kind: Outcome) =>
    outcomes.filter(([, outcome]) => outcome === kind).length
  const wrong = outcomes.filter(([, outcome]) => outcome === 'wrong')
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(0.04 * outcomes.length)
  const asked = (isAnswerable: boolean) =>
    companies.flatMap(({ questions }) =>
      Object.values(questions).filter((expected) => (expected !== null) === isAnswerable),
    ).length
  expect(count('refused')).toBeGreaterThanOrEqual(0.93 * asked(false))
  expect(count('right')).toBeGreaterThanOrEqual(0.57 * asked(true))
})
