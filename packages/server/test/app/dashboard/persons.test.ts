// Users that are one person in the dashboard: merged and split by hand, suggested by equal addresses, and
// kept apart.
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'

interface Writer {
  userId: string
  conversationId: string
}

let web: Writer
let mail: Writer

describeDashboard('persons in the dashboard', () => {
  beforeAll(async () => {
    web = await writeAs('Ana Web')
    mail = await writeAs('Ana Mail')
    for (const { userId } of [web, mail])
      await dashboard.call('POST', `/v1/platform/users/${userId}/addresses`, {
        kind: 'email',
        address: 'ana@example.org',
      })
  }, 60_000)

  async function writeAs(name: string): Promise<Writer> {
    const { userId, conversationId, say } = await dashboard.converse(name)
    await say(`${name} writes`)
    return { userId, conversationId }
  }

  const openUser = ({ userId }: Writer) => dashboard.botPage(`/users/${userId}`)

  test('keeps suggested users apart, on a phone', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(openUser(web))
    const section = page.getByRole('region', { name: 'Also known as' })
    const suggestions = section.getByRole('list', { name: 'Perhaps the same person' })
    await expect(suggestions.getByRole('listitem')).toContainText(['Ana Mail'])
    await expect(suggestions).toContainText('writes under ana@example.org, too')
    expect(await findViolations(page)).toEqual([])
    await suggestions.getByRole('button', { name: 'Different persons' }).click()
    await expect(suggestions).toHaveCount(0)
    await page.reload()
    await expect(section.getByText('No other users')).toBeVisible()
    await expect(suggestions).toHaveCount(0)
  })

  test('merges two users, and shows the conversations of both', async () => {
    const page = await dashboard.open('developer')
    await page.goto(openUser(web))
    const section = page.getByRole('region', { name: 'Also known as' })
    await section.getByLabel('Another user').fill('Ana Mail')
    await page.getByRole('option', { name: /^Ana Mail/ }).click()
    await pressEnterOn(section.getByRole('button', { name: 'Merge', exact: true }))
    const dialog = page.getByRole('dialog', { name: 'Merge two users?' })
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await expect(section.getByRole('list')).toContainText('merged by a member')
    const conversations = page.getByRole('region', { name: 'Conversations' })
    await expect(conversations.getByRole('listitem')).toHaveCount(2)
    expect(await findViolations(page)).toEqual([])
  })

  test('shows the conversations of the whole person to those who answer', async () => {
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', {
      conversationId: mail.conversationId,
    })
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage(`/inbox/${handoff.id}`))
    const all = page.getByRole('region', { name: 'Conversations in all channels' })
    await expect(all.getByRole('listitem')).toHaveCount(2)
  })

  test('splits a user off again', async () => {
    const page = await dashboard.open('developer')
    await page.goto(openUser(web))
    const section = page.getByRole('region', { name: 'Also known as' })
    await section.getByRole('button', { name: 'Split Ana Mail' }).click()
    const dialog = page.getByRole('dialog', { name: 'Split this user?' })
    await dialog.getByRole('button', { name: 'Split' }).click()
    await expect(section.getByText('No other users')).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'Conversations' }).getByRole('listitem'),
    ).toHaveCount(1)
  })

  test('a viewer sees who is one person, and cannot change it', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(openUser(mail))
    const section = page.getByRole('region', { name: 'Also known as' })
    await expect(section.getByText('ana@example.org')).toBeVisible()
    await expect(section.getByRole('button')).toHaveCount(0)
  })

  test('sets by which addresses users are merged', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/users'))
    await page.getByRole('button', { name: 'Same person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Users that are one person' })
    await dialog.getByRole('checkbox', { name: 'E-mail address' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const { rules } = await dashboard.call('GET', '/v1/platform/person-rules')
    expect(rules).toEqual({ mergeBy: ['email'] })
  })
})
