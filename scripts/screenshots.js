// Writes the screenshots of the documentation, in the system's Chromium, of a running server:
//   node scripts/screenshots.js <sign-in link>
// `npm run botstead -- login-link --account owner@localhost` prints a link.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromiumArgs, chromiumPath, noChromium } from './chromium.js'
import { installTools } from './tools.js'

const [link] = process.argv.slice(2)
if (!link) throw new Error('Pass a sign-in link: node scripts/screenshots.js <link>')
if (!chromiumPath) throw new Error(`This script ${noChromium}.`)
const { origin } = new URL(link)
const folder = fileURLToPath(new URL('../docs/images', import.meta.url))
mkdirSync(folder, { recursive: true })

await installTools('browsers')
const { chromium } = await import('playwright-core')
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: chromiumArgs,
})
try {
  await shootChat()
  const page = await shootDashboard()
  await shootOwnersTutorial(page)
} finally {
  await browser.close()
}

async function shootChat() {
  const reply = await fetch(`${origin}/v1/platform/sign-in`)
  const { talk } = /** @type {{ talk: { path: string } }} */ (await reply.json())
  const page = await browser.newPage({
    viewport: { width: 760, height: 820 },
    locale: 'en-GB',
  })
  await page.goto(origin + talk.path)
  await page.getByLabel('Your message').waitFor()
  for (const [index, text] of ['Hello!', 'markdown', 'choice'].entries()) {
    await page.getByLabel('Your message').fill(text)
    await page.keyboard.press('Enter')
    await page.locator('.message.theirs .bubble').nth(index).waitFor()
  }
  await save(page, 'chat-page')
}

async function shootDashboard() {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  })
  await page.goto(link)
  await page.locator('a.row-cells').first().waitFor()
  await save(page, 'dashboard-bots')
  await page.locator('a.row-cells').last().click()
  await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
  const message = page.getByLabel('Your message')
  await message.fill('choice')
  await message.press('Enter')
  await page.locator('.theirs .bubble').first().waitFor()
  await save(page, 'dashboard-bot')
  await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
  for (const name of ['Conversations', 'Deliveries', 'Versions', 'Integrations']) {
    const entry = page.getByRole('navigation').getByRole('link', { name })
    if ((await entry.count()) === 0) continue
    await entry.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await save(page, `dashboard-${name.toLowerCase()}`)
  }
  return page
}

/**
 * The steps of docs/tutorials/owner.md.
 * @param {import('playwright-core').Page} page
 */
async function shootOwnersTutorial(page) {
  await page.goto(`${page.url().replace(/\/bots\/.*/, '')}/bots`)
  await page.getByRole('button', { name: 'Create bot' }).click()
  await page.getByRole('button', { name: 'Create Questions and answers' }).click()
  await page.getByRole('heading', { name: 'Knowledge', level: 1 }).waitFor()
  await say(page, 'When are you open?', 'open')
  await save(page, 'owner-knowledge')
  await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).click()
  await page.getByRole('navigation', { name: 'Parts' }).getByText('Texts').click()
  await page.getByRole('button', { name: 'Add language' }).click()
  await page.getByRole('combobox', { name: 'New language' }).fill('German')
  await page.getByRole('option', { name: 'German', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add language' }).click()
  await page.getByText(/^Filled in/).waitFor()
  await page.getByText(/^Filled in/).waitFor({ state: 'hidden' }) // It would hide the title.
  await shootWizard(page)
  await page.getByRole('navigation', { name: 'Parts' }).getByText('Texts').click()
  await page.getByLabel('Search texts').fill('booking')
  await save(page, 'owner-texts')
}

/** @param {import('playwright-core').Page} page */
async function shootWizard(page) {
  await page.getByRole('button', { name: 'Add dialogue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a dialogue' })
  await dialog.getByRole('button', { name: 'Booking with free times' }).click()
  await dialog.getByLabel('Name of the dialogue').waitFor()
  await save(page, 'owner-wizard')
  await dialog.getByRole('button', { name: 'Add to the draft' }).click()
  await page
    .getByRole('group', { name: /^start, / })
    .getByText('What would you like to do?')
    .waitFor()
  await save(page, 'owner-flow')
}

/** Writes to the bot in the emulator, and waits for an answer with the word. */
async function say(page, text, word) {
  const message = page.getByLabel('Your message')
  await message.fill(text)
  await message.press('Enter')
  await page.locator('.theirs .bubble').filter({ hasText: word }).last().waitFor()
}

async function save(page, name) {
  await page.waitForTimeout(800) // Lists and charts settle.
  // A third of the bytes of a PNG.
  const devtools = await page.context().newCDPSession(page)
  const picture = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
  })
  writeFileSync(`${folder}/${name}.webp`, picture.data, 'base64')
  console.log(`wrote docs/images/${name}.webp`)
}
