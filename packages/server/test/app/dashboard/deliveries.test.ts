// Failures, the queue, issues, logs and traces of a bot.
import { afterEach, beforeAll, test } from 'vitest'
import {
  botCode,
  dashboard,
  describeDashboardWith,
  expect,
  findViolations,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'

/** Fails for "fail"; logs and echoes other texts. */
const code = botCode(`
  if (text === 'stumble' && !globalThis.stumbled) {
    globalThis.stumbled = true
    return { status: 503, body: '{"message":"stumbled over <i>it</i>"}' }
  }
  if (text === 'reject' && !globalThis.rejected) {
    globalThis.rejected = true
    console.error(new Error('It is too late. '.repeat(10)))
    return { status: 400, body: '{"message":"not <i>today</i>"}' }
  }
  if (text === 'reject, then take long') {
    if (globalThis[text]) await new Promise((resolve) => setTimeout(resolve, 5_000))
    else {
      globalThis[text] = true
      return { status: 400, body: '{"message":"too early"}' }
    }
  }
  if (text.startsWith('refuse') && !globalThis[text]) {
    globalThis[text] = true
    console.log('refused')
    return { status: 400, body: '{"message":"not this time"}' }
  }
  if (text === 'deny' && !globalThis[text]) {
    globalThis[text] = true
    return { status: 400, body: '{"message":"denied now"}' }
  }
  if (text.startsWith('fail')) return { status: 500, body: '{"message":"broken <b>here</b>"}' }
  console.log('heard ' + text)
  await echo()`)

let talk: (text: string) => Promise<unknown>

const deadCount = async () =>
  (await dashboard.call('GET', '/v1/platform/dead-letters/count')).count as number

const failedCount = async () =>
  (await dashboard.call('GET', '/v1/chat/events?status=failed')).events.length as number

async function makeDeadLetters(...names: string[]) {
  const before = await deadCount()
  for (const name of names) await talk(name)
  await expect.poll(deadCount).toBe(before + names.length)
}

const withQuickRetries = () => ({ BOTSTEAD_RETRY_SECONDS: '0.05,0.05' })

describeDashboardWith(withQuickRetries, 'operating a bot in the dashboard', () => {
  beforeAll(async () => {
    const { botId } = dashboard.server.credentials
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code })
    talk = (await dashboard.converse()).say
  }, 60_000)
  afterEach(async () => {
    await dashboard.call('POST', '/v1/platform/failures/discard', {})
  })

  test('shows a new dead letter at once, and redelivers it with another payload', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/deliveries'))
    await expect(page.getByRole('heading', { name: 'Nothing has failed' })).toBeVisible()
    for (const name of ['Redeliver all', 'Discard all'])
      await expect(page.getByRole('button', { name })).toBeDisabled()
    await makeDeadLetters('fail')
    const row = page.getByRole('button', { name: /broken <b>here<\/b>/ })
    await row.click()
    const dialog = page.getByRole('dialog')
    const attempts = dialog.getByRole('region', { name: 'Attempts 1, 2, 3' })
    await expect(attempts).toContainText('broken')
    await page.reload()
    await expect(attempts).toContainText('broken')
    expect(await findViolations(page)).toEqual([])
    const editor = dialog.getByLabel('Payload')
    await editor.fill('{ not json')
    await expect(dialog.getByText('This is not valid JSON')).toBeVisible()
    await expect(
      dialog.getByRole('button', { name: 'Edit and redeliver' }),
    ).toBeDisabled()
    await editor.fill('{"type": "text", "text": "repaired"}')
    await dialog.getByRole('button', { name: 'Edit and redeliver' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Nothing has failed' })).toBeVisible()
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Logs' }).click()
    await expect(page.getByText('heard repaired')).toBeVisible()
  })

  test('lists an event that the bot rejected, and redelivers it', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await talk('reject')
    await expect.poll(failedCount).toBeGreaterThan(0)
    const row = page.getByRole('button', { name: /not <i>today<\/i>/ })
    await page.goto(dashboard.botPage('/deliveries'))
    await expect(page.getByRole('combobox', { name: 'List' })).toContainText(
      /Failed \(\d+\)/,
    )
    await expect(page.getByRole('listitem').filter({ has: row })).toContainText(
      'Retried automaticallyNo',
    )
    await expect(page.getByRole('listitem').filter({ has: row })).toContainText('reject')
    await row.click()
    await expect(page.getByRole('dialog')).toContainText('Message received')
    await page.reload()
    await expect(page.getByRole('dialog')).toContainText('Message received')
    const reason = page
      .getByRole('dialog')
      .getByText(/It is too late/)
      .last()
    expect(await reason.evaluate((part) => part.scrollWidth <= part.clientWidth)).toBe(
      true,
    )
    await page.keyboard.press('Escape')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Redeliver', exact: true }).first().click()
    await expect(row).toBeHidden()
  })

  test('counts the queue again when a redelivery ends', async () => {
    const page = await dashboard.open('developer')
    /** Times of the requests for the count. */
    const requested: number[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/queue'))
        requested.push(performance.now())
    })
    await talk('reject, then take long')
    await page.goto(dashboard.botPage('/deliveries?view=failed'))
    const row = page.getByRole('listitem').filter({ hasText: 'too early' })
    await row.getByRole('button', { name: 'Redeliver' }).click()
    await expect(page.getByText('1 pending in 1 conversation')).toBeVisible()
    await expect(page.getByText('Redelivered. The bot handled it.')).toBeVisible()
    await expect(page.getByText('0 pending')).toBeVisible()
    // The page requests it every ten seconds in any case.
    const [before, last] = requested.slice(-2)
    expect(last! - before!).toBeLessThan(9_500)
  })

  test('redelivers all failed events, and separates the attempts in the trace', async () => {
    const page = await dashboard.open('developer')
    // Of a mistyped address.
    await page.goto(dashboard.botPage('?days=foo'))
    const failures = page.locator('.panel').filter({ hasText: 'Failures' })
    await expect(failures).toContainText(/Failures0/)
    await talk('refuse 1')
    await talk('refuse 2')
    await expect(failures).toContainText(/Failures2/)
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const rows = page.getByRole('button', { name: 'not this time' })
    await expect(rows).toHaveCount(2)
    const search = page.getByRole('searchbox', { name: 'Search the reason' })
    await search.fill('something else')
    await expect(rows).toHaveCount(0)
    await search.fill('NOT THIS')
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Redeliver all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Redeliver' }).click()
    await expect(dialog.getByRole('status')).toHaveText('Redelivered 2 failures')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText('No failure has this text in its reason')).toBeVisible()
    await page.goto(dashboard.botPage('/logs'))
    await page.getByRole('button', { name: 'heard refuse 2' }).click()
    const trace = page.getByRole('dialog')
    await expect(
      trace.getByRole('region', { name: 'Before the redelivery' }),
    ).toContainText('refused')
    await expect(trace.getByRole('region', { name: 'Attempt 1' })).toContainText(
      'heard refuse 2',
    )
  })

  test('opens the message of a dead letter in its conversation', async () => {
    await makeDeadLetters('fail to find me')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/deliveries'))
    const row = page.getByRole('listitem').filter({ hasText: 'fail to find me' })
    await expect(row.getByRole('link', { name: 'Conversation' })).toHaveAttribute(
      'href',
      /\?message=msg_/,
    )
    await row.getByRole('button', { name: /broken/ }).click()
    await page.getByRole('link', { name: 'Open the conversation' }).click()
    await expect(page).toHaveURL(/message=msg_/)
    await expect(page.getByText('fail to find me', { exact: true })).toBeVisible()
  })

  test('redelivers one dead letter from the list by keyboard', async () => {
    await makeDeadLetters('fail once')
    const { botId } = dashboard.server.credentials
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      code: code.replaceAll("'fail'", "'never'"),
    })
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/deliveries'))
    const row = page.getByRole('listitem').filter({ hasText: 'fail once' })
    await pressEnterOn(row.getByRole('button', { name: 'Redeliver', exact: true }))
    await expect(page.getByText('Redelivered. The bot handled it.')).toBeVisible()
    await expect(row).toHaveCount(0)
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code })
  })

  test('shows the failed attempts of a delivery that succeeded later', async () => {
    await talk('stumble')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/logs'))
    await page.getByRole('button', { name: 'heard stumble' }).click()
    const attempts = page
      .getByRole('dialog')
      .getByRole('region', { name: 'Failed attempts' })
    await expect(attempts).toContainText('stumbled over')
  })

  test('resolves the issues that were last seen before the deployment', async () => {
    await makeDeadLetters('fail')
    const { botId } = dashboard.server.credentials
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage('/issues'))
    const row = page.getByRole('button', { name: /fails to handle an event/ })
    await expect(row.first()).toBeVisible()
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code: `${code}\n` })
    await expect(row.first()).toContainText('before the last deployment')
    await page.getByRole('button', { name: 'Resolve them' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await expect(page.getByRole('heading', { name: 'No issues' })).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    const viewer = await dashboard.open('viewer')
    await viewer.goto(dashboard.botPage('/issues?status=resolved'))
    await expect(
      viewer.getByRole('button', { name: /fails to handle an event/ }),
    ).toBeVisible()
    await expect(viewer.getByRole('button', { name: 'Resolve them' })).toHaveCount(0)
    await makeDeadLetters('fail')
    await expect(row).toBeVisible()
    await expect(row).not.toContainText('before the last deployment')
  })

  test('redelivers and discards chosen failures of any kind, and all', async () => {
    await makeDeadLetters('fail 1', 'fail 2')
    await talk('refuse to be chosen')
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage('/deliveries'))
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('checkbox') })
    await expect(rows).toHaveCount(3)
    await page.getByRole('checkbox', { name: 'Choose: not this time' }).check()
    await rows.filter({ hasText: 'fail 2' }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Redeliver 2' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Redeliver 2 failures?')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Redeliver', exact: true }).click()
    await expect(dialog.getByRole('status')).toHaveText('Redelivered 2 failures')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    // One is handled now; the other fails again.
    await expect(rows.filter({ hasText: 'refuse' })).toHaveCount(0)
    await expect.poll(deadCount).toBe(2)
    await rows.filter({ hasText: 'fail 1' }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Discard 1' }).click()
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(dialog.getByRole('status')).toHaveText('Discarded 1 failure')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(rows).toHaveCount(1)
    await page.getByRole('button', { name: 'Discard all' }).click()
    await expect(dialog).toContainText('Discard everything in this list')
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(dialog.getByRole('status')).toHaveText('Discarded 1 failure')
    expect(await deadCount()).toBe(0)
  })

  test('says where else to look when nothing has failed', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/deliveries'))
    await expect(page.getByRole('heading', { name: 'Nothing has failed' })).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    const main = page.getByRole('main')
    for (const name of ['Conversations', 'Logs', 'Integrations', 'Issues'])
      await expect(main.getByRole('link', { name, exact: true })).toBeVisible()
    await main.getByRole('link', { name: 'Issues', exact: true }).click()
    await expect(page).toHaveURL(/\/issues$/)
  })

  test('cancels a scheduled event, and shows the queue and recurring events', async () => {
    await dashboard.call('POST', '/v1/chat/events', {
      type: 'reminder',
      payload: {},
      schedule: { delay: 3_600_000 },
    })
    const page = await dashboard.open('developer', { scheme: 'dark' })
    await page.goto(dashboard.botPage('/deliveries?view=scheduled'))
    await expect(page.getByText('reminder')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('reminder')).toHaveCount(0)
    const views = page.getByRole('radiogroup', { name: 'List' })
    await views.getByText('Pending', { exact: true }).click()
    await expect(page.getByText('No pending deliveries')).toBeVisible()
    await views.getByText('Recurring', { exact: true }).click()
    await expect(page.getByText('No recurring events')).toBeVisible()
  })

  test('keeps one issue for a failure that occurs several times', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/issues'))
    const row = page.getByRole('button', { name: /fails to handle an event/ })
    await makeDeadLetters('fail a')
    await expect(row).toHaveCount(1)
    const before = Number(
      (await row.locator('.wide-only').textContent())!.replaceAll(',', ''),
    )
    await makeDeadLetters('fail b', 'fail c')
    await expect(row.locator('.wide-only')).not.toHaveText(String(before))
    await expect(row).toHaveCount(1)
  })

  test('resolves an issue, which opens again when it recurs', async () => {
    await makeDeadLetters('fail')
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/issues'))
    const row = page.getByRole('button', { name: /fails to handle an event/ })
    await row.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('broken <b>here</b>').first()).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await expect(page.getByText('The issue is now “Resolved”')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'No issues' })).toBeVisible()
    await makeDeadLetters('fail')
    await expect(row).toBeVisible()
    await row.click()
    await dialog.getByRole('button', { name: 'Trace' }).first().click()
    await expect(page.getByRole('region', { name: 'Failed attempts' })).toContainText(
      'Attempts 1, 2, 3',
    )
  })

  test('shows that the server resolved an issue after redelivery', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/issues'))
    await talk('deny')
    const row = page.getByRole('button', { name: /denied now/ })
    await expect(row).toBeVisible()
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const failed = page.getByRole('listitem').filter({ hasText: 'denied now' })
    await failed.getByRole('button', { name: 'Redeliver', exact: true }).click()
    await expect(failed).toHaveCount(0)
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Issues' })
      .click()
    await page.getByText('Resolved', { exact: true }).click()
    await row.click()
    await expect(page.getByRole('dialog')).toContainText('Resolved by the server')
  })

  test('searches the log, shows new lines, and opens the trace of a line', async () => {
    await talk('apples')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/logs'))
    await expect(page.getByText('heard apples')).toBeVisible()
    await talk('pears')
    await expect(page.getByText('heard pears')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Search the text').fill('APPLES')
    await expect(page.getByText('heard pears')).toHaveCount(0)
    await expect(page).toHaveURL(/contains=APPLES/)
    await page.getByRole('button', { name: /heard apples/ }).click()
    const trace = page.getByRole('dialog')
    await expect(trace.getByRole('region', { name: 'Timeline' })).toContainText(
      'echo apples',
    )
    await expect(trace.getByRole('region', { name: 'Event' })).toContainText('processed')
    await expect(trace.getByRole('region', { name: 'Timeline' })).toContainText(
      'heard apples',
    )
    expect(await findViolations(page)).toEqual([])
  })

  test('marks all messages of a conversation on which the bot failed', async () => {
    const talker = await dashboard.converse()
    const count = 23
    for (let number = 1; number <= count; number++)
      await talker.say(`refuse to mark ${number}`)
    const page = await dashboard.open('viewer')
    // High enough for all messages, because the list renders only those in view.
    await page.setViewportSize({ width: 1280, height: 6_000 })
    await page.goto(dashboard.botPage(`/conversations/${talker.conversationId}`))
    await expect(page.getByText('The bot failed on this message')).toHaveCount(count)
  })

  test('shows a viewer no control that would be rejected', async () => {
    await makeDeadLetters('fail')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/deliveries'))
    await page.getByRole('button', { name: /broken/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('region', { name: 'Attempts 1, 2, 3' })).toBeVisible()
    for (const name of ['Redeliver', 'Discard', 'Edit and redeliver', 'Redeliver all'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
    await page.goto(dashboard.botPage('/issues'))
    await page.getByRole('button', { name: /fails to handle an event/ }).click()
    await expect(dialog.getByText('Latest occurrences')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Resolve' })).toHaveCount(0)
  })
})

describeDashboardWith(
  () => ({ BOTSTEAD_RETRY_SECONDS: '600' }),
  'deliveries that the server retries',
  () => {
    test('are in the list of failures with the time of the next attempt', async () => {
      const { botId } = dashboard.server.credentials
      await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code })
      const { say } = await dashboard.converse()
      await say('fail later')
      const page = await dashboard.open('developer')
      await page.goto(dashboard.botPage('/deliveries'))
      const row = page.getByRole('listitem').filter({ hasText: 'broken' })
      await expect(row).toContainText(/Yes, next: in \d+ min/)
      await expect(row.getByRole('checkbox')).toBeDisabled()
      await expect(row.getByRole('button', { name: 'Redeliver' })).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Discard all' })).toBeDisabled()
      expect(await findViolations(page)).toEqual([])
    })
  },
)
