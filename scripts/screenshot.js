// Writes docs/images/chat-page.png: a conversation with the echo bot of a running server, in
// Debian's
// Chromium.   node scripts/screenshot.js [server URL, by default http://127.0.0.1:4000]
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const [url = 'http://127.0.0.1:4000'] = process.argv.slice(2)
const path = fileURLToPath(new URL('../docs/images/chat-page.png', import.meta.url))

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // Chromium's own sandbox does not start for root.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 820 }, locale: 'en-GB' })
  await page.goto(url)
  await page.getByRole('status').getByText('Online', { exact: true }).waitFor()
  for (const [index, text] of ['Hello!', 'markdown', 'choice'].entries()) {
    await page.getByLabel('Your message').fill(text)
    await page.keyboard.press('Enter')
    await page.locator('.message.theirs .bubble').nth(index).waitFor()
  }
  await page.waitForTimeout(500) // The list scrolls to its end.
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path })
  console.log(`wrote ${path}`)
} finally {
  await browser.close()
}
