// The page of a bot's chat: the preview has unsaved changes, the chat has saved ones.
import { test, expect as value } from 'vitest'
import {
  dashboard,
  describeDashboard,
  desktop,
  expect,
  findViolations,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('the chat of a bot', () => {
  test('edits the look with a preview, and keeps the rest of the configuration', async () => {
    const { botId, url } = dashboard.server.credentials
    const encryptionKey = 'a key of the owner'
    const changed = await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      integrations: { chat: { configuration: { encryptionKey } } },
    })
    value(changed.bot?.id, JSON.stringify(changed)).toBe(botId)
    const page = await dashboard.open('owner', { size: desktop })
    await page.goto(dashboard.botPage('/chat'))
    const preview = page.frameLocator('iframe[title="Preview"]')
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Echo bot')

    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByLabel('Colour').fill('#ffd400')
    await page.getByLabel('Greeting').fill('Ask **anything**')
    await page.getByLabel('Suggested questions').fill('Is it open?\n\n Where are you? ')
    await page.getByText('Dark', { exact: true }).click()
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Ada')
    await expect(preview.getByText('anything')).toBeVisible()
    await expect(preview.getByRole('button', { name: 'Where are you?' })).toBeVisible()
    await expect(preview.locator('#send')).toHaveCSS(
      'background-color',
      'rgb(255, 212, 0)',
    )
    await expect(preview.locator('body')).toHaveCSS('background-color', 'rgb(15, 23, 20)')

    const picture = page.getByLabel('Picture', { exact: true })
    const noPicture = page.getByText('The browser finds no picture at this address')
    for (const path of ['/no-such-picture', '/v1/health']) {
      await picture.fill(url + path)
      await expect(noPicture).toBeVisible()
    }
    await picture.fill(`${url}/favicon.svg`)
    await expect(noPicture).toHaveCount(0)
    await picture.fill('')

    await page.getByLabel('Allowed websites').fill('https://shop.example.org/shop')
    await expect(page.getByText('Write https://shop.example.org, without')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.getByText('Conversation', { exact: true }).click()
    const bubble = preview.locator('.message.own .bubble')
    await expect(bubble).toHaveCSS('background-color', 'rgb(255, 212, 0)')
    await expect(preview.getByRole('button', { name: 'Where are you?' })).toBeVisible()
    await page.getByText('Left', { exact: true }).click()
    await expect(page.locator('[data-side="left"]')).toBeVisible()

    await page
      .getByLabel('Allowed websites')
      .fill('Shop.example.org\nhttp://localhost:80/')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The chat is saved')).toBeVisible()
    const { bot } = await dashboard.call('GET', `/v1/admin/bots/${botId}`)
    const installed = Object.values<{ name: string; configuration: object }>(
      bot.integrations,
    )
    value(installed.find(({ name }) => name === 'chat')?.configuration).toEqual({
      encryptionKey,
      appearance: {
        name: 'Ada',
        color: '#ffd400',
        theme: 'dark',
        greeting: 'Ask **anything**',
        suggestions: ['Is it open?', 'Where are you?'],
        position: 'left',
      },
      allowedOrigins: ['https://shop.example.org', 'http://localhost'],
    })

    await expect(page.getByText(encryptionKey)).toBeVisible()
    value(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow anonymous visitors' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Allow anonymous' })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Require user keys' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Require user keys' })
      .click()
    await expect(page.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    const share = page.getByRole('region', { name: 'Share' })
    await expect(share.getByText('data-user-key')).toBeVisible()
    await expect(share.getByText(`${url}/talk/`)).toHaveCount(0)
    await page.getByRole('button', { name: 'Allow anonymous visitors' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Allow anonymous' })
      .click()
    await expect(page.getByRole('button', { name: 'Require user keys' })).toBeVisible()

    const snippet = await page.getByText('<script src=').first().textContent()
    value(snippet).toBe(`<script src="${url}/webchat.js" data-bot="${botId}"></script>`)
    await page.goto((await page.getByText(`${url}/talk/`).textContent())!)
    await expect(page.getByRole('heading', { name: 'Ada' })).toBeVisible()
  })

  test('saves edited fields only, and shows changes by others', async () => {
    const { botId } = dashboard.server.credentials
    const setName = (name: string) =>
      dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
        integrations: { chat: { configuration: { appearance: { name } } } },
      })
    await setName('Berta')
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/chat'))
    await page.getByLabel('Greeting').fill('Welcome')
    await setName('Clara')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Clara')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The chat is saved')).toBeVisible()
    const { bot } = await dashboard.call('GET', `/v1/admin/bots/${botId}`)
    const installed = Object.values<{ name: string; configuration: object }>(
      bot.integrations,
    )
    value(installed.find(({ name }) => name === 'chat')?.configuration).toMatchObject({
      appearance: { name: 'Clara', greeting: 'Welcome' },
    })
  })

  test('shows a viewer the settings without changes, on a phone', async () => {
    const page = await dashboard.open('viewer', { size: phone })
    await page.goto(dashboard.botPage('/chat'))
    await expect(page.getByLabel('Name', { exact: true })).not.toBeEditable()
    await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
    // The wheel over the preview, which is as wide as the page, scrolls the page.
    const preview = page.locator('iframe[title="Preview"]')
    const top = async () => (await preview.boundingBox())!.y
    await expect(preview.contentFrame().getByRole('heading', { level: 1 })).toBeVisible()
    await preview.scrollIntoViewIfNeeded()
    await preview.hover()
    const before = await top()
    await page.mouse.wheel(0, -300)
    await expect.poll(top).toBeGreaterThan(before + 100)
  })

  test('explains how to add a chat to a bot without one', async () => {
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', { name: 'Silent' })
    await dashboard.call('PUT', `/v1/admin/bots/${bot.id}`, {
      integrations: { chat: { enabled: false } },
    })
    const page = await dashboard.open('owner')
    const { botId } = dashboard.server.credentials
    await page.goto(dashboard.botPage('/chat').replace(botId, bot.id))
    await expect(page.getByText('This bot has no webchat')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Integrations' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Integrations' }),
    ).toBeVisible()
  })
})
