// Dialogues by the wizards of the page Flows: made with a form, and talked to until their end.
import type { Locator, Page } from '@playwright/test'
import { beforeEach, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
  tabTo,
} from '../../support/dashboard.ts'
import { begin, node, openFlows, readDraft, saved } from '../../support/studio.ts'

const bot = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: { start: { type: 'start', cards: [{ type: 'send', message: 'Hello!' }] } },
    },
  },
}

const stored = async () => JSON.parse((await readDraft()).text)
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a dialogue' })
const create = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Add to the draft' })

async function openWizard(page: Page, kind: string) {
  await page.getByRole('button', { name: 'Add dialogue' }).click()
  await dialog(page).getByRole('button', { name: kind }).click()
  await expect(dialog(page).getByLabel('Name of the dialogue')).toBeFocused()
}

async function choose(page: Page, label: string, option: string) {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function openEmulator(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Try the draft' }).click()
  const emulator = page.getByRole('complementary', { name: 'Try the draft' })
  await expect(emulator.getByRole('textbox')).toBeVisible()
  return emulator
}

/** Begins the conversation, in place of the greeting that the emulator shows before. */
async function greet(emulator: Locator) {
  await emulator.getByRole('textbox').fill('hi')
  await emulator.getByRole('textbox').press('Enter')
  const explained = emulator.getByRole('button', { name: 'Why this answer?' })
  await expect(explained.first()).toBeVisible()
}

/** Writes the text, and waits for an answer with the words. */
async function talk(emulator: Locator, steps: [text: string, answer: string][]) {
  for (const [text, answer] of steps) {
    const found = emulator.locator('.theirs .bubble').filter({ hasText: answer })
    const before = await found.count()
    await emulator.getByRole('textbox').fill(text)
    await emulator.getByRole('textbox').press('Enter')
    await expect
      .poll(() => found.count(), { message: `${text}: ${answer}` })
      .toBe(before + 1)
  }
}

/** A day after the next week, so that a booking is neither too early nor too late. */
const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)

describeDashboard('wizards of dialogues', () => {
  beforeEach(() => begin(bot))

  test('makes a booking in one step of undo, which two visitors cannot get at once', {
    timeout: 240_000,
  }, async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    const before = await stored()
    await openWizard(page, 'Booking with free times')
    for (const weekday of [
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ])
      await dialog(page).getByLabel(weekday).fill('9 – 11')
    // The form begins with the zone of the browser. Typing after a click replaces it.
    await dialog(page).getByRole('combobox', { name: 'Time zone' }).click()
    await page.keyboard.type('Zurich')
    await page.getByRole('option', { name: 'Europe/Zurich' }).click()
    await dialog(page).getByRole('button', { name: 'Remove E-mail' }).click()
    await expect(dialog(page).getByText('The table BookingsTable')).toBeVisible()
    await create(page).click()
    await expect(
      node(page, 'start').getByText('What would you like to do?'),
    ).toBeVisible()
    await saved(page)
    const made = await stored()
    expect(Object.keys(made.flows)).toEqual(['main', 'booking'])
    expect(made.settings).toEqual({ defaults: { timezone: 'Europe/Zurich' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(stored).toEqual(before)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(stored).toEqual(made)

    const other = await dashboard.open('developer')
    await openFlows(other)
    const [mine, theirs] = [await openEmulator(page), await openEmulator(other)]
    for (const [emulator, name] of [
      [mine, 'Ana'],
      [theirs, 'Ben'],
    ] as const) {
      await greet(emulator)
      await emulator.getByRole('button', { name: 'Book a time' }).click()
      await expect(emulator.getByText('Which day would you like?')).toBeVisible()
      await talk(emulator, [
        [day, 'Which time suits you'],
        ['09:00', 'What is your name?'],
        [name, 'Shall I book this?'],
      ])
    }
    await expect(mine.getByText('The draft has tables of its own')).toBeVisible()
    await Promise.all(
      [mine, theirs].map((emulator) =>
        emulator.getByRole('button', { name: 'Yes' }).click(),
      ),
    )
    const booked = (emulator: Locator) => emulator.getByText('Your booking number is')
    const taken = (emulator: Locator) =>
      emulator.getByText('Somebody has just taken this time')
    await expect(booked(mine).or(taken(mine))).toBeVisible()
    await expect(booked(theirs).or(taken(theirs))).toBeVisible()
    const [winner, loser] = (await booked(mine).isVisible())
      ? [mine, theirs]
      : [theirs, mine]
    await expect(taken(loser)).toBeVisible()
    await talk(loser, [
      ['10:00', 'Shall I book this?'],
      ['yes', 'Your booking number is'],
      ['booking', 'What would you like to do?'],
    ])
    const said = await booked(loser).textContent()
    const code = /number is (\w+)/.exec(said!)![1]!
    await loser.getByRole('button', { name: 'Change or cancel' }).last().click()
    await expect(loser.getByText('What is your booking number?')).toBeVisible()
    await talk(loser, [
      [code.toLowerCase(), 'Your booking is on'],
      ['Cancel the booking', 'Really cancel your booking'],
      ['yes', 'Your booking is cancelled.'],
    ])
    const winners = /number is (\w+)/.exec((await booked(winner).textContent())!)![1]!
    await talk(winner, [
      ['booking', 'What would you like to do?'],
      ['Change or cancel a booking', 'What is your booking number?'],
      [winners, 'Your booking is on'],
      ['Change the time', 'Which day would you like?'],
      [day, 'Which time suits you'],
      ['10:00', 'Your booking number stays'],
    ])
  })

  test('makes a contact form by keys alone, with a fault at its field', {
    timeout: 120_000,
  }, async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    const before = await stored()
    await pressEnterOn(page.getByRole('button', { name: 'Add dialogue' }))
    await expect(dialog(page).getByRole('button', { name: 'Contact form' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByLabel('Name of the dialogue')).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await pressEnterOn(dialog(page).getByRole('button', { name: 'Add a question' }))
    await page.getByRole('menuitem', { name: 'One choice' }).press('Enter')
    const group = dialog(page).getByRole('group', { name: 'Question 4' })
    await expect(group.getByLabel('Short name')).toBeFocused()
    await page.keyboard.type('Size')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Which size?')
    await pressEnterOn(create(page))
    await expect(dialog(page).getByLabel('Name of the dialogue')).toBeFocused()
    await expect(
      dialog(page).getByText('Name of the dialogue is empty. Fill it in'),
    ).toBeVisible()
    await expect(dialog(page).getByText('needs at least two choices')).toBeVisible()
    await expect(dialog(page).getByText('2 fields to be corrected')).toBeVisible()
    expect(await stored()).toEqual(before)
    await expectAccessible(page, 'faults')
    await page.keyboard.type('Write to us')
    await tabTo(group.getByLabel('Choices, a line for each'))
    await page.keyboard.type('Small\nLarge')
    await pressEnterOn(group.getByRole('button', { name: 'Move Size up' }))
    await pressEnterOn(create(page))
    await expect(dialog(page)).toHaveCount(0)
    await expect(node(page, 'askName')).toBeVisible()
    const emulator = await openEmulator(page)
    await talk(emulator, [
      ['contact', 'What is your name?'],
      ['Ana', 'What is your e-mail address?'],
      ['ana@example.org', 'Which size?'],
      ['Large', 'What can we do for you?'],
      ['Call me', 'Is that right?'],
      ['no', 'Which answer should I change?'],
      ['Size', 'Which size?'],
      ['Small', 'Size: Small'],
      ['yes', 'A colleague will write to you here.'],
    ])
  })

  test('tells the state of an order from a table of the bot', async () => {
    const columns = { 'Order no': { type: 'number' }, State: { type: 'string' } }
    const body = {
      name: 'ShipmentsTable',
      schema: { type: 'object', properties: columns },
    }
    expect(await dashboard.call('POST', '/v1/tables', body)).toHaveProperty('table')
    const rows = [{ 'Order no': 17, State: 'on its way' }]
    await dashboard.call('POST', '/v1/tables/ShipmentsTable/rows', { rows })
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openWizard(page, 'Order status')
    await choose(page, 'Orders are in', 'ShipmentsTable')
    await choose(page, 'Column with the number of the order', 'Order no')
    const sentence = dialog(page).getByRole('textbox', { name: 'Answer' })
    await expect(sentence).toHaveValue('Your order {Order no}: {State}.')
    await sentence.fill('Order {number}')
    await create(page).click()
    await expect(
      dialog(page).getByText('names {number}, which is not a column'),
    ).toBeVisible()
    await sentence.fill('Order {Order no} is {State}.')
    await create(page).click()
    await saved(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('The changes are published')).toBeVisible()
    const visitor = await dashboard.converse('Ana')
    const answer = async (text: string, expected: string) => {
      await visitor.say(text)
      await expect.poll(visitor.texts).toContain(expected)
    }
    await answer('Where is my order', 'What is your order number?')
    await answer('18', 'I found no such order. Please check what you entered.')
    await answer('17', 'Order 17 is on its way.')
  })

  test('asks own questions and for a rating, into tables of the bot', async () => {
    const columns = { rating: { type: 'number' }, note: { type: 'string' } }
    const body = { name: 'VotesTable', schema: { type: 'object', properties: columns } }
    await dashboard.call('POST', '/v1/tables', body)
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openWizard(page, 'Satisfaction')
    await choose(page, 'Store the answers in', 'VotesTable')
    await expect(dialog(page).getByLabel('Column for rating')).toHaveValue('rating')
    await choose(page, 'Column for comment', 'note')
    await create(page).click()
    await expect(node(page, 'askRating')).toBeVisible()
    await openWizard(page, 'Your own questions')
    await create(page).click()
    await expect(
      dialog(page).getByText('Questions is empty. Add a question'),
    ).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('menuitem', { name: 'Phone', exact: true }).click()
    await dialog(page).getByLabel('The visitor may skip it').check()
    await create(page).click()
    await expect(node(page, 'askPhone')).toBeVisible()
    const emulator = await openEmulator(page)
    await talk(emulator, [
      ['hi', 'What can I do for you?'],
      ['rate us', 'How satisfied are you'],
      ['1', 'Would you like to tell us why?'],
      ['Too loud', 'Shall a colleague write to you?'],
      ['no', 'All right.'],
      ['Begin', 'What is your phone number?'],
      ['skip', 'Phone: –'],
      ['yes', 'Thank you! We have received your answers.'],
    ])
    expect((await stored()).flows.main.nodes.start.cards[1].message.options).toHaveLength(
      2,
    )
  })

  test('fills in a language that the bot got later, and changes the words that begin it', {
    timeout: 120_000,
  }, async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openWizard(page, 'Satisfaction')
    await create(page).click()
    await expect(node(page, 'askRating')).toBeVisible()
    await saved(page)
    const made = await stored()
    await begin({ ...made, languages: { default: 'en', translations: { de: {} } } })
    await openFlows(page, '/flows?part=texts')
    const fill = page.getByRole('button', { name: 'Fill in what the wizards know' })
    await pressEnterOn(fill)
    await expect(
      page.getByText(/^Filled in: \d+ texts, and words that visitors write/),
    ).toBeVisible()
    await expect(fill).toHaveCount(0)
    await saved(page)
    const filled = await stored()
    const german = JSON.stringify(filled.languages.translations.de)
    expect(german).toContain('Wie zufrieden sind Sie')
    const [flow = ''] = Object.keys(made.triggers)
    const words = async () => (await stored()).triggers[flow].when
    expect(await words()).not.toBe(made.triggers[flow].when)

    await openFlows(page, '/flows?part=triggers')
    const field = page.getByRole('textbox', { name: `${flow}: Words that begin it` })
    await field.fill('Stars, my opinion')
    await field.blur()
    await expect.poll(words).toContain('[" stars "," my opinion "]')
    await expect(field).toHaveValue('stars, my opinion')
    await field.fill(' , ')
    await field.blur()
    await expect(field).toHaveValue('stars, my opinion')
    const condition = page.getByRole('textbox', { name: 'If', exact: true })
    await expect(condition).toHaveValue(
      /^The message contains one of the words “stars”, “my opinion”, or is the button of /,
    )
    await page.getByRole('button', { name: 'As code' }).click()
    await expect(condition).toHaveValue(await words())
    await page.getByRole('button', { name: 'In words' }).click()
    await expect(condition).toHaveValue(/^The message contains/)
    await expect(page.getByRole('combobox', { name: 'Event' })).toHaveValue(
      'Somebody writes a message',
    )
    await expect(page.getByText('Name for programmers: message_created')).toBeVisible()
    await expectAccessible(page, 'triggers')
    await talk(await openEmulator(page), [
      ['Here is my opinion', 'How satisfied are you'],
    ])
  })

  test('has a button for a dialogue, which a phone shows', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await openFlows(page)
    const button = page.getByRole('button', { name: 'Add dialogue' })
    const { x, width } = (await button.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(phone.width)
    await tabTo(button)
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  })

  test.each(['Contact form', 'Booking with free times', 'Order status', 'Satisfaction'])(
    'is accessible at both sizes and in both themes: %s',
    async (kind) => {
      const page = await dashboard.open('owner', { size: phone })
      await openFlows(page)
      await openWizard(page, kind)
      await expectAccessibleLooks(page, kind)
    },
  )
})
