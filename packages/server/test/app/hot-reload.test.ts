// The dashboard with `npm run dev`: changes of its sources appear in the open page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type Page, expect as playwrightExpect } from '@playwright/test'
import { afterEach, describe, expect, test } from 'vitest'
import { slowdownSince } from '../../../../scripts/tests/machine-speed.js'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { type Clone, copyClone } from '../support/clone.ts'

const timeout = 300_000
const expectSoon = playwrightExpect.configure({ timeout: 20_000 })

/** On an idle machine; multiplied by the time of a fixed loop. */
const maxShownMs = 500

let clone: Clone
let browser: Browser
afterEach(async () => {
  await browser?.close()
  await clone?.remove()
}, timeout)

/** Returns a page that is signed in, and its errors: of scripts, of the security policy, of responses. */
async function openPage(link: string) {
  browser = await openBrowser()
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on(
    'console',
    (message) => message.type() === 'error' && errors.push(message.text()),
  )
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor()
  return { page, errors }
}

async function openTokens(page: Page) {
  const { url, workspaceId } = JSON.parse(
    readFileSync(join(clone.folder, 'data/credentials.json'), 'utf8'),
  )
  await page.goto(`${url}/w/${workspaceId}/tokens`)
  const note = page.getByLabel('Note')
  // Vite loads a page again when it finds further libraries at the first visit.
  await expectSoon(async () => {
    await note.fill('typed before')
    await page.waitForTimeout(1_000)
    expect(await note.inputValue()).toBe('typed before')
  }).toPass()
}

/** The watcher of files takes changes within this time for one. No editor is faster. */
const betweenEditsMs = 500

/** Resolves to the milliseconds until the page's title is the expected one. */
async function measure(page: Page, title: string, edit: () => void) {
  await page.waitForTimeout(betweenEditsMs)
  const startedAt = performance.now()
  edit()
  await expectSoon(page.getByRole('heading', { level: 1 })).toHaveText(title, {
    timeout: 20_000,
  })
  return Math.round(performance.now() - startedAt)
}

describe('hot reload', () => {
  const component = 'packages/dashboard/src/pages/workspace/tokens-page.tsx'
  const texts = 'packages/dashboard/src/texts/en/workspace.ts'
  const title = "title: 'Tokens'"

  test('shows changes of a page and of its texts, and keeps the state', {
    timeout,
  }, async ({ skip }) => {
    if (!chromiumPath) skip(noChromium)
    clone = copyClone()
    const command = clone.run('scripts/dev/dev.js')
    await command.untilPrinted('Watching the packages')
    const [link] = /http:\S+sign-in\S+/.exec(command.output())!
    const { page, errors } = await openPage(link)
    const icon = await page.locator('link[rel=icon]').getAttribute('href')
    expect((await page.request.get(new URL(icon!, page.url()).href)).status()).toBe(200)
    await openTokens(page)
    const times = [
      await measure(page, 'Seen at once', () =>
        clone.edit(component, (text) =>
          text.replace(
            '<Page title={texts.tokens.title}>',
            '<Page title="Seen at once">',
          ),
        ),
      ),
      await measure(page, 'Tokens', () =>
        clone.edit(component, (text) =>
          text.replace(
            '<Page title="Seen at once">',
            '<Page title={texts.tokens.title}>',
          ),
        ),
      ),
      await measure(page, 'Keys of people', () =>
        clone.edit(texts, (text) => text.replace(title, "title: 'Keys of people'")),
      ),
    ]
    if (process.env.BOTSTEAD_SHOW_LOADS) console.log(`shown after ${times.join(', ')} ms`)
    expect(Math.max(...times)).toBeLessThan(maxShownMs * slowdownSince(0))
    expect(await page.getByLabel('Note').inputValue()).toBe('typed before')
    expect(errors).toEqual([])
    await command.interrupt()
  })
})
