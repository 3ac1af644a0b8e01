// Usage, limits and budgets of a workspace in the dashboard.
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboardWith,
  expect,
  expectAccessibleLooks,
  phone,
} from '../../support/dashboard.ts'

const limits = {
  BOTSTEAD_LIMIT_BOTS_PER_WORKSPACE: '1',
  BOTSTEAD_LIMIT_MEMBERS_PER_WORKSPACE: '50',
}

describeDashboardWith(
  () => limits,
  'usage in the dashboard',
  () => {
    const address = (query = '') => {
      const { url, workspaceId } = dashboard.server.credentials
      return `${url}/w/${workspaceId}/usage${query}`
    }
    const monthBack = (months: number) => {
      const now = new Date()
      return new Date(
        Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months),
      ).toISOString()
    }

    /** Usage of this month and the last one, and calls of models. */
    beforeAll(async () => {
      const { workspaceId, botId } = dashboard.server.credentials
      await sql`insert into usage_count (workspace_id, type, day, bot_id, value) values
        (${workspaceId}, 'ai_spend', ${monthBack(1).slice(0, 10)}, ${botId}, 1.25),
        (${workspaceId}, 'invocation_calls', ${monthBack(1).slice(0, 10)}, ${botId}, 678),
        (${workspaceId}, 'ai_spend', ${monthBack(0).slice(0, 10)}, ${botId}, 3.5)`.execute(
        dashboard.database.db,
      )
      await sql`insert into model_call (workspace_id, id, bot_id, kind, model, provider, fallback_path,
          input_tokens, output_tokens, cost, ms, cached, outcome, created_at)
        select ${workspaceId}, 'mcall_' || n, ${botId}, 'text', 'small', 'own', '{}', 1000, 200, 1.75, 1,
          false, 'ok', ${monthBack(0)}
        from generate_series(1, 2) n`.execute(dashboard.database.db)
    })

    test('shows amounts with limits, bots and models of this month and a former one', async () => {
      const page = await dashboard.open('owner')
      await page.getByRole('link', { name: 'Usage' }).click()
      const used = page.getByRole('region', { name: 'Used' })
      await expect(used.getByText('$3.50')).toBeVisible()
      await expect(
        used.getByText('Each delivery to a bot or an integration'),
      ).toBeVisible()
      await expect(used.getByText('The limit is reached')).toHaveCount(1)
      await expect(used.getByText(/^now, limit: 50$/)).toBeVisible()
      await expect(used.getByText('Amounts without a bar have no limit.')).toHaveCount(1)
      const models = page.getByRole('region', { name: 'Models', exact: true })
      await expect(
        models.getByRole('row', { name: /small \$3.50 2 0 2,400/ }),
      ).toBeVisible()
      const bots = page.getByRole('region', { name: /^By bot/ })
      await page.getByRole('combobox', { name: 'Measure' }).click()
      await page.getByRole('option', { name: 'Cost of models' }).click()
      const echo = bots.getByRole('row', { name: /^Echo.* \$3.50 100 %/ })
      await expect(echo).toBeVisible()
      await page.getByRole('combobox', { name: 'Month' }).click()
      await page.getByRole('option').nth(1).click()
      await expect(used.getByText('678')).toBeVisible()
      await expect(used.getByText('Bots', { exact: true })).toHaveCount(0)
      await expect(bots.getByRole('row', { name: /^Echo.* \$1.25/ })).toBeVisible()
      await expect(page).toHaveURL(/month=\d{4}-\d\d/)
      // Of a mistyped address.
      await page.goto(address('?month=foo'))
      await expect(used.getByText('$3.50')).toBeVisible()
    })

    test('draws days and months of a measure, chosen by keyboard', async () => {
      const page = await dashboard.open('owner')
      await page.goto(address('?measure=ai_spend'))
      const bars = page.locator('[data-bar]')
      await expect(bars).toHaveCount(1)
      await expect(bars).toHaveCSS('background-color', 'rgb(31, 92, 74)')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(bars).toHaveCSS('background-color', 'rgb(166, 208, 191)')
      await page.getByRole('radio', { name: 'Days' }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(page).toHaveURL(/by=months/)
      await expect(bars).toHaveCount(2)
      await page.getByRole('combobox', { name: 'Measure' }).focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/measure=storage_count/)
    })

    test('adds and deletes a budget on a phone', async () => {
      const page = await dashboard.open('administrator', { size: phone })
      await page.goto(address())
      const budgets = page.getByRole('region', { name: 'Budgets for models' })
      await expect(budgets.getByText('No budgets.')).toBeVisible()
      await budgets.getByRole('button', { name: 'Add budget' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Maximum').fill('2')
      await dialog.getByRole('button', { name: 'Add budget' }).click()
      await expect(budgets.getByText('$0.00 of $2.00')).toBeVisible()
      await budgets
        .getByRole('button', { name: 'Delete the budget: The workspace, per month' })
        .click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect(budgets.getByText('No budgets.')).toBeVisible()
    })

    test('lets billing see usage without bots, and change no budget', async () => {
      const page = await dashboard.open('billing')
      await page.goto(address('?measure=ai_spend'))
      await expect(
        page.getByRole('region', { name: 'Used' }).getByText('$3.50'),
      ).toBeVisible()
      const bots = page.getByRole('region', { name: /^By bot/ })
      await expect(bots.getByRole('row', { name: /^bot_.* \$3.50/ })).toBeVisible()
      await expect(page.getByText('No budgets.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Add budget' })).toHaveCount(0)
    })

    test('is accessible at both sizes and in both themes', async () => {
      const page = await dashboard.open('owner')
      await page.goto(address())
      await expect(page.getByText('$3.50').first()).toBeVisible()
      await expectAccessibleLooks(page)
    })
  },
)
