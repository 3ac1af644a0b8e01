// The page of a user: properties, tags, attributes, states and conversations, by role.
import { readFile } from 'node:fs/promises'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  findViolations,
  phone,
} from '../../support/dashboard.ts'

let userId: string

describeDashboard('users in the dashboard', () => {
  beforeAll(async () => {
    const { botId } = dashboard.server.credentials
    const schema = { type: 'object', properties: { plan: { type: 'string' } } }
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      states: {
        profile: { type: 'user', schema },
        order: { type: 'conversation', schema },
      },
    })
    userId = (await createUser('Ana Silva')).id
    const properties = { plan: 'gold' }
    await dashboard.call('PUT', `/v1/chat/users/${userId}`, { properties })
  }, 60_000)

  /** Writes one message in a conversation with the bot. */
  async function createUser(
    name: string,
  ): Promise<{ id: string; conversationId: string }> {
    const { userId, conversationId, say } = await dashboard.converse(name)
    await say(`I am ${name}`)
    return { id: userId, conversationId }
  }

  const openUserPage = (id: string) => dashboard.botPage(`/users/${id}`)

  test('searches by a long text without an error', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/users'))
    await page.getByLabel('Name', { exact: true }).fill('long '.repeat(100))
    await expect(page.getByText('No user matches the filters')).toBeVisible()
  })

  test('edits name and picture by keyboard, and shows the picture', async () => {
    const page = await dashboard.open('developer')
    await page.goto(openUserPage(userId))
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.getByLabel('Name', { exact: true }).first().fill('Ana Maria Silva')
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(`${dashboard.server.credentials.url}/favicon.svg`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Maria Silva')
    await page.getByRole('button', { name: /^Load picture from/ }).click()
    await expect(page.locator('img[src$="favicon.svg"]').last()).toBeVisible()
    const { user } = await dashboard.call('GET', `/v1/chat/users/${userId}`)
    const pictureUrl = `${dashboard.server.credentials.url}/favicon.svg`
    expect(user).toMatchObject({ name: 'Ana Maria Silva', pictureUrl })
  })

  test('adds and removes tags and attributes, on a phone', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(openUserPage(userId))
    const tags = page.getByRole('region', { name: 'Tags' })
    await tags.getByLabel('Name').fill('topic')
    await tags.getByLabel('Value').fill('refund')
    await tags.getByRole('button', { name: 'Add' }).click()
    await expect(tags.getByText('topic=refund')).toBeVisible()
    await expect(tags.getByLabel('Name')).toHaveValue('')
    const attributes = page.getByRole('region', { name: 'Attributes' })
    await attributes.getByRole('button', { name: 'Remove plan' }).click()
    await expect(attributes.getByText('No attributes')).toBeVisible()
    await tags.getByLabel('Name').fill('topic:reserved')
    await tags.getByLabel('Value').fill('x')
    await tags.getByRole('button', { name: 'Add' }).click()
    await expect(tags.getByRole('alert')).toBeVisible()
    await expect(tags.getByLabel('Name')).toHaveValue('topic:reserved')
    expect(await findViolations(page)).toEqual([])
  })

  test('edits a state of the user, and shows none of conversations', async () => {
    const page = await dashboard.open('developer')
    await page.goto(openUserPage(userId))
    const states = page.getByRole('region', { name: 'States' })
    await expect(states.getByText('Not set')).toBeVisible()
    await expect(states.getByText('order')).toHaveCount(0)
    await states.getByRole('button', { name: 'Edit profile' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('profile').fill('{"plan": ')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByLabel('profile').fill('{"plan": "silver"}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(states.getByText('"silver"')).toBeVisible()
  })

  test('follows the messages of the user', async () => {
    const { userId, say } = await dashboard.converse('Talker')
    await say('first')
    const page = await dashboard.open('viewer')
    await page.goto(openUserPage(userId))
    const conversations = page.getByRole('region', { name: 'Conversations' })
    const count = async () =>
      Number(/(\d+) messages?/.exec((await conversations.textContent()) ?? '')?.[1])
    await expect.poll(count).toBeGreaterThan(0)
    const before = await count()
    await say('second')
    await expect.poll(count).toBeGreaterThan(before)
  })

  test('opens a conversation of the user', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(openUserPage(userId))
    await page.getByRole('link', { name: 'I am Ana Silva' }).click()
    await expect(page).toHaveURL(/conversations\/conv_/)
  })

  test('marks users of the emulator, and no others', async () => {
    const { id } = await createUser('Owner')
    await dashboard.call('PUT', `/v1/chat/users/${id}`, { tags: { emulator: 'true' } })
    await createUser('Owner of a shop')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/users?name=Owner'))
    await expect(page.getByRole('link', { name: /^Owner Test user/ })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Owner of a shop/ })).toBeVisible()
    await expect(page.getByText('Test user')).toHaveCount(1)
    await page.getByRole('link', { name: /^Owner Test user/ }).click()
    await expect(page).toHaveURL(/\/users\/user_/)
    await expect(page.getByText('Test user')).toBeVisible()
  })

  test('hides members who answer and users who never wrote, until a filter shows them', async () => {
    const silent = await dashboard.converse('Silent Sam')
    const { conversationId } = await createUser('Asking Ada')
    const { account } = await dashboard.call('PUT', '/v1/admin/account/me', {
      displayName: 'Grace Member',
    })
    expect(account.displayName).toBe('Grace Member')
    const requested = { conversationId, assign: true }
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', requested)
    const answer = { type: 'text', payload: { text: 'I am a person' } }
    await dashboard.call('POST', `/v1/platform/handoffs/${handoff.id}/messages`, answer)
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/users'))
    const rows = page.getByRole('region', { name: 'Users' }).getByRole('link')
    await expect(rows.filter({ hasText: 'Asking Ada' })).toHaveCount(1)
    await expect(page.getByText(/Grace Member|Silent Sam/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    for (const [filter, name] of [
      ['Members', 'Grace Member'],
      ['Users who never wrote', 'Silent Sam'],
    ] as const) {
      await page.getByRole('combobox', { name: filter }).click()
      await page.getByRole('option', { name: 'Only these' }).click()
      await expect(rows).toHaveCount(1)
      await expect(rows).toContainText(name)
      await expectAccessibleLooks(page)
      await page
        .getByRole('button', { name: `Remove filter ${filter}: Only these` })
        .click()
      await expect(rows.filter({ hasText: 'Asking Ada' })).toHaveCount(1)
    }
    // Nor is the member a visitor of the conversation.
    await page.goto(dashboard.botPage(`/conversations/${conversationId}`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Conversation with Asking Ada',
    )
    await page.goto(dashboard.botPage('/conversations'))
    const row = page.getByRole('link', { name: /^Asking Ada/ })
    await expect(row).toContainText('Team: I am a person')
    await expect(row).not.toContainText('Grace Member')
    await dashboard.call('POST', `/v1/platform/handoffs/${handoff.id}/close`, {
      outcome: 'solved',
    })
    await dashboard.call('DELETE', `/v1/chat/users/${silent.userId}`)
  })

  test('shows a viewer no control that would be rejected', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(openUserPage(userId))
    await expect(
      page.getByRole('region', { name: 'States' }).getByText('profile'),
    ).toBeVisible()
    for (const name of [
      'Save',
      'Add',
      'Delete user',
      'Edit profile',
      'Erase …',
      'Export data',
    ])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
  })

  test('deletes a user after a confirmation, but not the user of the bot', async () => {
    const { id, conversationId } = await createUser('Temporary')
    const page = await dashboard.open('developer')
    await page.goto(openUserPage(id))
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    await expect(page.getByText('Temporary')).toHaveCount(0)
    for (const path of [`users/${id}`, `conversations/${conversationId}`])
      expect((await dashboard.call('GET', `/v1/chat/${path}`)).code).toBe(404)
    await page.goto(openUserPage(dashboard.server.credentials.botId))
    await expect(page.getByRole('region', { name: 'Conversations' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Delete user' })).toHaveCount(0)
  })

  test('exports and erases the data of a user, with a receipt', async () => {
    const { id } = await createUser('Departing')
    const schema = { type: 'object', properties: { email: { type: 'string' } } }
    await dashboard.call('POST', '/v1/tables', { name: 'PlainTable', schema })
    const page = await dashboard.open('developer')
    await page.goto(openUserPage(id))
    const data = page.getByRole('region', { name: 'Personal data' })
    const exported = page.waitForEvent('download')
    await data.getByRole('button', { name: 'Export data' }).click()
    expect((await exported).suggestedFilename()).toBe(`${id}.tar.gz`)
    await data.getByRole('button', { name: 'Erase …' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Conversations without other people')).toBeVisible()
    await expect(dialog.getByText('PlainTable')).toBeVisible()
    await expectAccessible(page)
    await expect(dialog.getByRole('button', { name: 'Erase' })).toBeDisabled()
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url())
    })
    await dialog.getByLabel('Type Departing to confirm').fill('Departing')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The data was erased')).toBeVisible({ timeout: 20_000 })
    await expect(page.getByText('the server creates a new user')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('This was deleted')).toHaveCount(0)
    const receipt = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download receipt' }).click()
    expect((await receipt).suggestedFilename()).toMatch(/^erasure_.*\.receipt\.json$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    expect((await dashboard.call('GET', `/v1/chat/users/${id}`)).code).toBe(404)
    expect(missing).toEqual([])
    await page.goto(dashboard.botPage('/privacy'))
    const erasures = page.getByRole('region', { name: 'Erasures' })
    const stored = page.waitForEvent('download')
    await erasures.getByRole('button', { name: `Download the receipt of ${id}` }).click()
    const text = await readFile(await (await stored).path(), 'utf8')
    await erasures.getByRole('button', { name: `Verify the receipt of ${id}` }).click()
    await expect(
      erasures.getByText('Valid: this server signed the receipt'),
    ).toBeVisible()
    await expect(erasures.getByText('Conversations without other people')).toBeVisible()
    const verify = (content: string) =>
      erasures.locator('input[type=file]').setInputFiles({
        name: 'receipt.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      })
    await verify(text.replace(/"messages": \d+/, '"messages": 99'))
    await expect(erasures.getByText('Not valid: the receipt was changed')).toBeVisible()
    await verify('no JSON')
    await expect(erasures.getByText('Not valid: this is no receipt')).toBeVisible()
    await expectAccessibleLooks(page)
  })

  test('requests no state that is not set', async () => {
    const { id } = await createUser('Stateless')
    const page = await dashboard.open('viewer')
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url())
    })
    await page.goto(openUserPage(id))
    await expect(
      page.getByRole('region', { name: 'States' }).getByText('Not set'),
    ).toBeVisible()
    expect(missing).toEqual([])
  })

  test('finds an unnamed user by a message, through the conversations', async () => {
    const { userId: id, say } = await dashboard.converse()
    await say('Write to rosa@example.org please')
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/users'))
    await page.getByLabel('Name').fill('rosa@example.org')
    await expect(page.getByText('No user matches the filters')).toBeVisible()
    await expect(page.getByText('Integrations create users')).toHaveCount(0)
    const byMessage = page
      .getByRole('main')
      .getByRole('link', { name: 'Search messages' })
    await expect(byMessage).toHaveAttribute('href', /text=rosa/)
    await byMessage.click()
    await expect(page.getByLabel('Search messages')).toHaveValue('rosa@example.org')
    const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
    await expect(rows).toHaveCount(1)
    await rows.click()
    const name = `Visitor ${id.slice(-6).toUpperCase()}`
    await page.getByRole('complementary').getByRole('link', { name }).click()
    await expect(page).toHaveURL(new RegExp(`users/${id}`))
  })

  test('says that an unknown user does not exist', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(openUserPage(`user_${'0'.repeat(26)}`))
    await expect(page.getByRole('alert').getByText('This does not exist')).toBeVisible()
  })
})
