// The widget and the chat page in Firefox, on a page of another origin.
import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import { expect, test } from 'vitest'
import { runServer } from '../support/running-server.ts'
import { openSite } from '../support/webchat-site.ts'

const places = [
  process.env.FIREFOX_PATH,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]
const executablePath = places.find((place) => place && existsSync(place))

test.skipIf(!executablePath)(
  executablePath
    ? 'a visitor talks to the bot in Firefox, in Arabic'
    : 'needs Firefox: install it, or set FIREFOX_PATH',
  { timeout: 120_000 },
  async () => {
    const server = await runServer()
    const { url, botId } = server.credentials
    const widget = `${url}/webchat.js" data-bot="${botId}" data-title="Support`
    const site = await openSite(`<script src="${widget}"></script>`)
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: executablePath!,
      headless: true,
      extraPrefsFirefox: { 'intl.accept_languages': 'ar, en' },
    })
    try {
      const page = await browser.newPage()
      await page.goto(site.url)
      await page.locator('button[aria-label="فتح Support"]').click()
      const frame = await page.waitForFrame((one) =>
        one.url().startsWith(`${url}/webchat`),
      )
      await frame.locator('#words:not(:disabled)').fill('choice')
      await frame.locator('#send:not(:disabled)').click()
      await frame.locator('.choices button::-p-text(Option 2)').click()
      await frame.waitForSelector('.message.theirs ::-p-text(You said: "Option 2")')
      const shown = await frame.evaluate(() => ({
        dir: document.documentElement.dir,
        state: document.querySelector('#connection-text')!.textContent,
        disabled: document.querySelector<HTMLButtonElement>('.choices button')!.disabled,
        own: document.querySelector('.message.own .bubble')!.getBoundingClientRect().left,
        theirs: document.querySelector('.message.theirs .bubble')!.getBoundingClientRect()
          .left,
      }))
      expect(shown).toMatchObject({ dir: 'rtl', state: 'متصل', disabled: true })
      expect(shown.own).toBeLessThan(shown.theirs)
      expect(await browser.cookies()).toEqual([])
      await frame.locator('#words').click()
      await page.keyboard.press('Escape')
      await page.waitForFunction(
        () =>
          document.activeElement?.ariaLabel === 'فتح Support' &&
          document.querySelector('dialog')!.getBoundingClientRect().width === 0,
      )
    } finally {
      await browser.close()
      site.close()
      await server.remove()
    }
  },
)
