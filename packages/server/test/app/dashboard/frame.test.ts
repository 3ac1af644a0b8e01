// The frame of the dashboard: groups of the navigation, the choice of a bot, the search, help, and the focus
// after dialogs.
import type { Locator, Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  findViolations,
  phone,
  pressEnterOn,
  tabTo,
} from '../../support/dashboard.ts'

let userId: string

describeDashboard('the frame of the dashboard', () => {
  beforeAll(async () => {
    await dashboard.call('POST', '/v1/admin/bots', { name: 'Second bot' })
    const talker = await dashboard.converse('Clara Zetkin')
    userId = talker.userId
    await talker.say('where is my zeppelin')
  }, 60_000)

  test('has the pages of a bot in groups with headings', async () => {
    const page = await openBot()
    const navigation = getNavigation(page)
    for (const [name, links] of groups) {
      const group = navigation.getByRole('group', { name })
      await expect(group.getByRole('heading', { name })).toBeVisible()
      await expect(group.getByRole('link')).toHaveText(links)
    }
  })

  test('folds the pages of the workspace beside a bot, never without one', async () => {
    const page = await openBot()
    const navigation = getNavigation(page)
    const members = navigation.getByRole('link', { name: 'Members' })
    await pressEnterOn(getFold(navigation))
    await expect(members).toBeHidden()
    await page.reload()
    await expect(navigation.getByRole('link', { name: 'Logs' })).toBeVisible()
    await expect(members).toBeHidden()
    await page.goto(`${workspaceUrl()}/bots`)
    await expect(members).toBeVisible()
    await expect(getFold(navigation)).toHaveCount(0)
    await page.goto(dashboard.botPage())
    await pressEnterOn(getFold(navigation))
    await expect(members).toBeVisible()
  })

  test('opens the navigation as a drawer on a phone, and closes it by Escape', async () => {
    const page = await openBot('owner', { size: phone })
    const burger = page.getByRole('button', { name: 'Menu', exact: true })
    await expect(getNavigation(page)).not.toBeInViewport()
    await pressEnterOn(burger)
    await expect(getNavigation(page)).toBeInViewport()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(getNavigation(page)).not.toBeInViewport()
    await expect(burger).toBeFocused()
  })

  test('switches to another bot by keyboard', async () => {
    const page = await openBot()
    const switcher = getSwitcher(page)
    await pressEnterOn(switcher)
    const field = page.getByRole('combobox', { name: 'Find a bot' })
    await expect(field).toBeFocused()
    await expect(page.getByRole('option', { name: 'Echo bot' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    await expect(switcher).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('SECOND')
    await expect(page.getByRole('option')).toHaveText([/Second bot/])
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('heading', { name: 'Second bot', level: 1 }),
    ).toBeVisible()
    await expect(getSwitcher(page, 'Second bot')).toBeVisible()
  })

  test('creates a bot from the header, and returns the focus after Escape', async () => {
    const page = await openBot()
    const switcher = getSwitcher(page)
    await pressEnterOn(switcher)
    await pressEnterOn(page.getByRole('button', { name: 'Create a bot' }))
    const dialog = page.getByRole('dialog', { name: 'Create a bot' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(switcher).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create a bot' }).click()
    await dialog.getByText('Empty bot').click()
    await dialog.getByLabel('Name').fill('From the header')
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('heading', { name: 'From the header', level: 1 }),
    ).toBeVisible()
    await expect(dialog).toHaveCount(0)
  })

  test('searches pages, bots, users and conversations by keyboard', async () => {
    const page = await openBot()
    const opened = page.getByRole('link', { name: 'Logs' })
    await tabTo(opened)
    const field = await openSearch(page)
    await expect(page.getByRole('option', { name: 'Logs' })).toBeVisible()
    await page.keyboard.type('zzz')
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Nothing found')
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    await expect(opened).toBeFocused()
    await choose(page, 'second', 'Second bot')
    await expect(
      page.getByRole('heading', { name: 'Second bot', level: 1 }),
    ).toBeVisible()
    await page.goBack()
    await choose(page, 'clara', 'Clara Zetkin')
    await expect(page).toHaveURL(new RegExp(`/users/${userId}$`))
    await choose(page, 'zeppelin', /where is my zeppelin/)
    await expect(page).toHaveURL(/\/conversations\/conv_\w+\?message=msg_/)
    await choose(page, 'logs', /^Logs/)
    await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible()
  })

  test('moves through the results by arrows, and announces their number', async () => {
    const page = await openBot()
    const field = await openSearch(page)
    await page.keyboard.type('settings')
    const options = page.getByRole('dialog').getByRole('option')
    await expect(options).toHaveText([/General/, /Privacy/, /Access/, /Server settings/])
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('4 results')
    const active = page.locator('[role=option][aria-selected=true]')
    await expect(active).toHaveText(/General/)
    await page.keyboard.press('ArrowUp')
    await expect(active).toHaveText(/Server settings/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(active).toHaveText(/Privacy/)
    await expect(field).toHaveAttribute(
      'aria-activedescendant',
      (await active.getAttribute('id'))!,
    )
    await expectAccessibleLooks(page, 'search')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible()
  })

  test('finds only pages that a role may open', async () => {
    const page = await openBot('viewer')
    await openSearch(page)
    await page.keyboard.type('a')
    await expect(page.getByRole('option', { name: 'Answers' })).toBeVisible()
    await expect(page.getByRole('option', { name: 'Access' })).toHaveCount(0)
    await expect(page.getByRole('option', { name: 'Archives' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await pressEnterOn(getSwitcher(page))
    await expect(page.getByRole('button', { name: 'Create a bot' })).toHaveCount(0)
  })

  test('links to the documentation', async () => {
    const page = await openBot()
    await pressEnterOn(page.getByRole('button', { name: 'Help' }))
    const entry = page.getByRole('menuitem', { name: 'Documentation' })
    await expect(entry).toHaveAttribute('href', '/docs/')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Help' })).toBeFocused()
    await page.setViewportSize(phone)
    await page.getByRole('button', { name: 'Your account' }).click()
    await expect(entry).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })

  test.for([
    ['/integrations', 'Connect a channel or service'],
    ['/versions', 'Save current state'],
    ['/tables', 'New table'],
    ['/broadcasts', 'New broadcast'],
    ['/knowledge', 'Add files'],
    ['/settings', 'Delete bot'],
  ])('returns the focus after the dialog of %s: %s', async ([path, name]) => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage(path))
    const opener = page
      .getByRole('main')
      .getByRole('button', { name: name!, exact: true })
      .first()
    await pressEnterOn(opener)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button').first()).toBeVisible()
    // The dialog has the focus.
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  test('returns the focus to the button of a menu, and to the button of the emulator', async () => {
    const page = await openBot()
    const emulator = page.getByRole('button', { name: 'Try the bot', exact: true })
    await pressEnterOn(emulator)
    await expect(page.getByLabel('Your message')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(emulator).toBeFocused()
    await dashboard.call(
      'POST',
      `/v1/admin/bots/${dashboard.server.credentials.botId}/versions`,
      {
        name: 'Named',
        description: '',
      },
    )
    await page.goto(dashboard.botPage('/versions'))
    const menu = page.getByRole('main').locator('[aria-haspopup=menu]').first()
    await pressEnterOn(menu)
    await page.getByRole('menuitem', { name: 'Rename' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
    await expectAccessible(page)
  })
})

const groups: [name: string, links: RegExp[]][] = [
  ['Talk', [/Inbox/, /Conversations/, /Users/, /Broadcasts/]],
  ['Build', [/Flows/, /Knowledge/, /Tables/, /Webchat/, /Integrations/, /Versions/]],
  ['Watch', [/Overview/, /Issues/, /Deliveries/, /Logs/]],
  ['Settings', [/General/, /Privacy/, /Access/]],
]

const workspaceUrl = () => dashboard.botPage().replace(/\/bots\/.*/, '')
const getNavigation = (page: Page) =>
  page.getByRole('navigation', { name: 'Main navigation' })
const getFold = (navigation: Locator) => navigation.locator('button[aria-expanded]')
const getSwitcher = (page: Page, name = 'Echo bot') =>
  page.getByRole('banner').getByRole('button', { name: `${name} Switch bot` })

async function openBot(
  role: Parameters<typeof dashboard.open>[0] = 'owner',
  options: Parameters<typeof dashboard.open>[1] = {},
) {
  const page = await dashboard.open(role, options)
  await page.goto(dashboard.botPage())
  await expect(page.getByRole('heading', { name: 'Echo bot', level: 1 })).toBeVisible()
  return page
}

async function openSearch(page: Page) {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /^Find pages/ })
  await expect(field).toBeFocused()
  return field
}

async function choose(page: Page, text: string, name: string | RegExp) {
  await openSearch(page)
  await page.keyboard.type(text)
  const option = page.getByRole('dialog').getByRole('option', { name }).first()
  await expect(option).toBeVisible()
  for (let presses = 0; presses < 20; presses++) {
    if ((await option.getAttribute('aria-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}
