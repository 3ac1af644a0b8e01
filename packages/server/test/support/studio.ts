// The page Flows in tests: opens it, and finds its parts.
import type { Page } from '@playwright/test'
import { dashboard, expect } from './dashboard.ts'

/** Deploys a document to the first bot. Its draft follows, unless it has changes. */
export async function deploy(botJson: unknown) {
  const path = `/v1/admin/bots/${dashboard.server.credentials.botId}/publish-from-bot-json`
  const answer = await dashboard.call('POST', path, { botJson })
  expect(answer).toHaveProperty('version')
}

/** Deploys a document, also in place of changes of the draft. */
export async function begin(botJson: unknown) {
  await deploy(botJson)
  await dashboard.call(
    'DELETE',
    `/v1/platform/bots/${dashboard.server.credentials.botId}/draft`,
  )
}

export async function openFlows(page: Page, path = '/flows') {
  await page.goto(dashboard.botPage(path))
  await expect(page.getByRole('heading', { name: 'Flows', level: 1 })).toBeVisible()
}

export const node = (page: Page, name: string) =>
  page.getByRole('group', { name: new RegExp(`^${name}, `) })
export const saved = (page: Page) =>
  expect(page.getByText('Saved', { exact: true })).toBeVisible()
export const panel = (page: Page) =>
  page.getByRole('region', { name: 'Settings of the selection' })

export const field = (page: Page, name: string) =>
  panel(page).getByRole('textbox', { name, exact: true })

/** Returns the draft that the server has. */
export async function readDraft(): Promise<{
  text: string
  revision: number
  hasChanges: boolean
}> {
  const { botId } = dashboard.server.credentials
  return (await dashboard.call('GET', `/v1/platform/bots/${botId}/draft`)).draft
}
