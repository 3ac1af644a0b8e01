// The tables of a bot: creation, the grid by keyboard and mouse, import of a file with bad rows.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  findViolations,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('tables in the dashboard', () => {
  beforeAll(async () => {
    const properties = {
      number: { type: 'string' },
      price: { type: 'number' },
      paid: { type: 'boolean' },
      due: { type: 'string', format: 'date-time' },
      address: { type: 'object' },
    }
    await dashboard.call('POST', '/v1/tables', {
      name: 'OrdersTable',
      schema: { type: 'object', properties },
    })
    const rows = Array.from({ length: 300 }, (_, n) => ({
      number: `A${n + 1}`,
      price: n,
      paid: n % 2 === 0,
      address: { city: 'Rome' },
    }))
    await dashboard.call('POST', '/v1/tables/OrdersTable/rows', { rows })
  }, 60_000)

  const ordersPage = async () => {
    const { tables } = await dashboard.call('GET', '/v1/tables')
    const { id } = tables.find(({ name }: { name: string }) => name === 'OrdersTable')
    return dashboard.botPage(`/tables/${id}`)
  }
  const findRow = async (id: number) =>
    (await dashboard.call('GET', `/v1/tables/OrdersTable/row?id=${id}`)).row

  test('creates a table by keyboard, adds a row, renames and deletes it', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/tables'))
    const opener = page.getByRole('button', { name: 'New table' })
    const dialog = page.getByRole('dialog')
    await opener.press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await opener.press('Enter')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('People')
    await dialog.getByLabel('Name of column 1').fill('name')
    await expect(dialog.getByText('PeopleTable')).toBeVisible()
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('PeopleTable')
    await expect(heading).toBeFocused()
    await page.getByRole('button', { name: 'Add row' }).click()
    await dialog.getByLabel('name').fill('Ana')
    await dialog.getByRole('button', { name: 'Add row' }).click()
    await expect(page.getByRole('gridcell', { name: 'Ana' })).toBeVisible()
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename table' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('FriendsTable')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('FriendsTable')
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete table' }).click()
    await dialog.getByLabel('Type FriendsTable to confirm').fill('FriendsTable')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tables')
    await expect(page.getByText('FriendsTable')).toHaveCount(0)
  })

  test('lists numbers of rows, and the progress of an import, live', async () => {
    const schema = { type: 'object', properties: { code: { type: 'string' } } }
    const { table } = await dashboard.call('POST', '/v1/tables', {
      name: 'CountedTable',
      schema,
    })
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/tables'))
    const row = page.getByRole('link', { name: /^CountedTable/ })
    await expect(row).toContainText('0 rows · 1 column · code')
    await expect(page.getByRole('link', { name: /^OrdersTable/ })).toContainText(
      '300 rows',
    )
    // A job that no server claims yet.
    const progress = (value: number, status: string) =>
      sql`insert into table_job (bot_id, bot_table_id, job_id, type, status, task, progress, not_before)
        values (${dashboard.server.credentials.botId}, ${table.id}, 'tabjob_counted', 'import',
          ${status}, '{}', ${value}, now() + interval '1 hour')
        on conflict (bot_id, job_id) do update set progress = ${value}, status = ${status}`.execute(
        dashboard.database.db,
      )
    await progress(41.5, 'in_progress')
    await page.reload()
    await expect(row).toContainText('An import is running: 41 %')
    await expectAccessible(page)
    await progress(100, 'completed')
    // The job of another table publishes the note.
    await dashboard.call('POST', '/v1/tables/CountedTable/rows', {
      rows: [{ code: 'A' }],
    })
    await dashboard.call('GET', '/v1/tables/OrdersTable/export')
    await expect(row).not.toContainText('An import')
    await expect(row).toContainText('1 row · 1 column · code')
  })

  test('shows changes of rows and columns by the API and in another browser', async () => {
    const properties = { item: { type: 'string' }, pieces: { type: 'number' } }
    const schema = { type: 'object', properties }
    const { table } = await dashboard.call('POST', '/v1/tables', {
      name: 'StockTable',
      schema,
    })
    const rows = (items: string[]) => ({
      rows: items.map((item) => ({ item, pieces: 1 })),
    })
    await dashboard.call(
      'POST',
      '/v1/tables/StockTable/rows',
      rows(['Nut', 'Bolt', 'Screw']),
    )
    const one = await dashboard.open('developer')
    const [other, list] = [await dashboard.open('viewer'), await dashboard.open('viewer')]
    for (const page of [one, other])
      await page.goto(dashboard.botPage(`/tables/${table.id}`))
    await list.goto(dashboard.botPage('/tables'))
    const getCells = (page: Page) => page.getByRole('gridcell')
    for (const page of [one, other]) await expect(getCells(page)).toHaveCount(6)
    await one.getByRole('grid').focus()
    await one.keyboard.type('Washer')
    await one.keyboard.press('Enter')
    await expect(other.getByRole('gridcell', { name: 'Washer' })).toBeVisible()
    // Deleted above a cell that is being edited: the input stays, and belongs to its row.
    await one.keyboard.type('Bolts')
    await dashboard.call('POST', '/v1/tables/StockTable/rows/delete', { ids: [1] })
    await dashboard.call('POST', '/v1/tables/StockTable/rows', rows(['Nail']))
    await expect(other.getByRole('gridcell', { name: 'Washer' })).toHaveCount(0)
    await expect(other.getByRole('gridcell', { name: 'Nail' })).toBeVisible()
    await expect(list.getByRole('link', { name: /^StockTable/ })).toContainText('3 rows')
    await expect(one.getByRole('gridcell', { name: 'Washer' })).toBeVisible()
    await one.keyboard.type('!')
    await expect(one.getByRole('textbox', { name: 'item' })).toHaveValue('Bolts!')
    await one.keyboard.press('Enter')
    for (const page of [one, other]) {
      const texts = ['Bolts!', '1', 'Screw', '1', 'Nail', '1']
      await expect(getCells(page)).toHaveText(texts)
      await expect(page.getByText('3 rows', { exact: true })).toBeVisible()
    }
    await dashboard.call('PUT', '/v1/tables/StockTable/column', {
      name: 'item',
      newName: 'part',
    })
    await expect(other.getByRole('columnheader', { name: 'part' })).toBeVisible()
  })

  test('reads rows at most every two seconds while they change all the time', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(await ordersPage())
    await expect(page.getByRole('gridcell', { name: 'A3', exact: true })).toBeVisible()
    const reads: number[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/rows/find')) reads.push(Date.now())
    })
    const change = (price: number) =>
      dashboard.call('PUT', '/v1/tables/OrdersTable/rows', { rows: [{ id: 3, price }] })
    for (let price = 100; price < 125; price++) {
      await change(price)
      await page.waitForTimeout(200)
    }
    await expect(page.getByRole('gridcell', { name: '124', exact: true })).toBeVisible()
    const pauses = reads.slice(1).map((at, n) => at - reads[n]!)
    expect(reads.length).toBeGreaterThan(1)
    expect(Math.min(...pauses)).toBeGreaterThan(1_500)
    await change(2)
  })

  test('edits cells by keyboard, keeps a rejected input, and undoes', async () => {
    const page = await dashboard.open('developer')
    await page.goto(await ordersPage())
    const grid = page.getByRole('grid', { name: 'OrdersTable' })
    await expect(grid.getByRole('gridcell', { name: 'A1', exact: true })).toBeVisible()
    await grid.focus()
    await page.keyboard.type('first')
    await page.keyboard.press('Tab')
    await page.keyboard.type('cheap')
    await page.keyboard.press('Enter')
    const wrong = grid.getByRole('gridcell', { name: 'cheap' })
    await expect(wrong).toHaveAttribute('aria-invalid', 'true')
    // The cell below is active.
    await expect(
      page.getByText(
        '1 cell was not saved. Row 1, price: "price" must be a number, not "cheap"',
      ),
    ).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('F2')
    await expect(page.getByRole('textbox', { name: 'price' })).toHaveValue('cheap')
    await page.getByRole('textbox', { name: 'price' }).fill('7.5')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect
      .poll(async () => findRow(1))
      .toMatchObject({ number: 'first', price: 7.5, paid: false })
    for (let press = 0; press < 4; press++) await page.keyboard.press('Control+z')
    await expect
      .poll(async () => findRow(1))
      .toMatchObject({ number: 'A1', price: 0, paid: true })
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+y')
    await expect.poll(async () => (await findRow(1)).number).toBe('first')
    await expectAccessible(page)
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/grid.png` })
  })

  test('has no undo or redo of a rejected input, and shows booleans as Yes and No', async () => {
    const page = await dashboard.open('developer')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(await ordersPage())
    const grid = page.getByRole('grid', { name: 'OrdersTable' })
    const undo = page.getByRole('button', { name: 'Undo changes of cells' })
    const redo = page.getByRole('button', { name: 'Redo changes of cells' })
    await grid.getByRole('gridcell', { name: '4', exact: true }).click()
    await page.keyboard.type('lots')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(grid.getByRole('gridcell', { name: '4', exact: true })).toBeVisible()
    await expect(undo).toBeDisabled()
    await expect(redo).toBeDisabled()
    // Pastes a valid value beside an invalid one: only the valid one can be undone.
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await page.keyboard.press('Control+v')
    }
    const row = grid.getByRole('row').nth(8)
    await row.getByRole('gridcell', { name: 'No', exact: true }).click()
    await paste('Yes\nmaybe')
    await expect(row.getByRole('gridcell', { name: 'Yes', exact: true })).toBeVisible()
    await expect(page.getByText('Row 9, paid: "paid" must be yes or no')).toBeVisible()
    await page.getByRole('button', { name: 'Discard' }).click()
    await undo.click()
    await expect.poll(async () => (await findRow(8)).paid).toBe(false)
    await expect(undo).toBeDisabled()
    await redo.click()
    await expect.poll(async () => (await findRow(8)).paid).toBe(true)
    await undo.click()
    await expect.poll(async () => (await findRow(8)).paid).toBe(false)
    await expect(page.getByText('was not saved')).toHaveCount(0)
  })

  test('selects a cell by a click, edits it by a double-click, and shows dates shortly', async () => {
    await dashboard.call('PUT', '/v1/tables/OrdersTable/rows', {
      rows: [{ id: 12, due: '2020-01-01' }],
    })
    const page = await dashboard.open('developer')
    await page.goto(await ordersPage())
    const row = page.getByRole('grid', { name: 'OrdersTable' }).getByRole('row').nth(12)
    const undo = page.getByRole('button', { name: 'Undo changes of cells' })
    const paid = row.getByRole('gridcell').nth(2)
    await paid.click()
    // Longer than a double-click.
    await page.waitForTimeout(700)
    await paid.click()
    await page.keyboard.press('x')
    await expect(paid).toHaveAttribute('data-active', 'true')
    await expect(paid).toHaveText('No')
    await expect(undo).toBeDisabled()
    await paid.dblclick()
    await expect(paid).toHaveText('Yes')
    await expect.poll(async () => (await findRow(12)).paid).toBe(true)

    const due = row.getByRole('gridcell').nth(3)
    const editor = page.getByRole('textbox', { name: 'due' })
    await expect(due).toHaveText('2020-01-01')
    await due.dblclick()
    await expect(editor).toHaveValue('2020-01-01')
    await page.keyboard.press('Enter')
    await due.dblclick()
    await editor.fill('2020-01-02 10:30')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await findRow(12)).due)
      .toBe('2020-01-02T10:30:00.000Z')
    await due.dblclick()
    await expect(editor).toHaveValue('2020-01-02 10:30')
    expect((await editor.boundingBox())!.height).toBeLessThan(40)
    await page.keyboard.press('Escape')
    await undo.click()
    await expect
      .poll(async () => (await findRow(12)).due)
      .toBe('2020-01-01T00:00:00.000Z')
    // Nothing was saved for the unchanged date.
    await undo.click()
    await expect.poll(async () => (await findRow(12)).paid).toBe(false)
  })

  test('copies, pastes and clears a range, and edits an object', async () => {
    const page = await dashboard.open('developer')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(await ordersPage())
    const grid = page.getByRole('grid', { name: 'OrdersTable' })
    await grid.getByRole('gridcell', { name: 'A11', exact: true }).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+c')
    await grid.getByRole('gridcell', { name: 'A15', exact: true }).click()
    await page.keyboard.press('Control+v')
    await expect.poll(async () => findRow(16)).toMatchObject({ number: 'A12', price: 11 })
    await page.keyboard.press('Delete')
    await expect
      .poll(async () => findRow(15))
      .toMatchObject({ number: null, price: null })
    await grid.getByRole('gridcell', { name: '{"city":"Rome"}' }).first().click()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('{"city": ')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByRole('textbox').fill('{"city": "Oslo"}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await findRow(1)).address).toEqual({ city: 'Oslo' })
  })

  test('scrolls to the last row, deletes chosen rows, and is read-only for a viewer', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(await ordersPage())
    const grid = page.getByRole('grid', { name: 'OrdersTable' })
    await expect(grid.getByRole('gridcell', { name: 'A2', exact: true })).toBeVisible()
    await grid.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Home')
    await expect(grid.getByRole('gridcell', { name: 'A300', exact: true })).toBeVisible()
    await page.keyboard.press('Shift+Space')
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/phone.png` })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete 1 row' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('299 rows')).toBeVisible()
    expect((await dashboard.call('GET', '/v1/tables/OrdersTable/row?id=300')).code).toBe(
      404,
    )
    const viewer = await dashboard.open('viewer')
    await viewer.goto(await ordersPage())
    const cell = viewer.getByRole('gridcell', { name: 'A2', exact: true })
    await cell.click()
    await viewer.keyboard.type('x')
    await expect(viewer.getByRole('textbox')).toHaveCount(0)
    await expect(cell).toBeVisible()
  })

  test('filters, sorts and groups rows, and keeps the view in the address', async () => {
    const page = await dashboard.open('developer')
    await page.goto(await ordersPage())
    const grid = page.getByRole('grid', { name: 'OrdersTable' })
    const dialog = page.getByRole('dialog')
    const pick = async (label: string, option: string, at = 0) => {
      await dialog.getByRole('combobox', { name: label }).nth(at).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    await pick('Column', 'price')
    await pick('Operator', 'is at least')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('cheap')
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await expect(dialog.getByRole('alert')).toContainText('must be a number')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('290')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    const inner = dialog.getByRole('group', { name: 'Any of these rules' })
    await inner.getByRole('button', { name: 'Add rule' }).click()
    await pick('Column', 'paid', 1)
    await pick('Value', 'Yes')
    await pick('Column', 'address', 2)
    await inner.getByRole('textbox', { name: 'Path inside' }).fill('city')
    await inner.getByRole('textbox', { name: 'Value' }).fill('Oslo')
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/filter.png` })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByText('JSON', { exact: true }).click()
    await expect(dialog.getByText('"address.city": "Oslo"')).toBeVisible()
    await dialog.getByText('Rules', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Apply filter' }).click()
    await expect(page.getByText(/^[45] of \d+ rows$/)).toBeVisible()
    const filter = JSON.parse(JSON.parse(new URL(page.url()).searchParams.get('filter')!))
    expect(filter).toEqual({
      price: { $gte: 290 },
      $or: [{ paid: true }, { 'address.city': 'Oslo' }],
    })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Filter: 3' })).toBeVisible()
    await grid.getByRole('button', { name: 'Sort by paid' }).click()
    await grid.getByRole('button', { name: 'Actions on column price' }).click()
    await page.getByRole('menuitem', { name: 'Then sort descending' }).click()
    await expect(page.getByRole('button', { name: 'Sort: 2' })).toBeVisible()
    await expect(grid.getByRole('row').nth(1)).toContainText('A299')
    await grid.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await expect(grid.getByRole('row').nth(1)).toContainText('A299')
    const sortAgain = page.getByRole('button', { name: 'Sort again' })
    await expect(sortAgain).toBeVisible()
    await page.getByRole('button', { name: 'Undo changes of cells' }).click()
    await expect(sortAgain).toHaveCount(0)
    await page.getByRole('button', { name: 'Redo changes of cells' }).click()
    await sortAgain.click()
    await expect(grid.getByRole('row').nth(1)).not.toContainText('A299')
    await expect(page.getByRole('button', { name: 'Sort again' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo changes of cells' }).click()
    await page.getByRole('button', { name: 'Clear order' }).click()
    await expect(page.getByRole('button', { name: 'Sort', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByRole('button', { name: 'Group' }).click()
    await pick('Column 1', 'paid')
    await pick('Column 2', 'price')
    await pick('Result 2', 'Maximum')
    await dialog.getByRole('button', { name: 'Show groups' }).click()
    const group = page.getByRole('link', { name: /Yes.*298/ })
    await expect(group).toBeVisible()
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/groups.png` })
    expect(await findViolations(page)).toEqual([])
    await group.click()
    await expect(page.getByText(/^150 of \d+ rows$/)).toBeVisible()
  })

  test('changes many rows, undoes chosen ones, and converts a column after a preview', async () => {
    const properties = { code: { type: 'string' }, price: { type: 'string' } }
    const { table } = await dashboard.call('POST', '/v1/tables', {
      name: 'PricesTable',
      schema: { type: 'object', properties },
    })
    const prices = ['12', '3.5', 'dear', '']
    await dashboard.call('POST', '/v1/tables/PricesTable/rows', {
      rows: prices.map((price, n) => ({ code: `P${n}`, price })),
    })
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage(`/tables/${table.id}`))
    const grid = page.getByRole('grid', { name: 'PricesTable' })
    const dialog = page.getByRole('dialog')
    const codes = async () =>
      (await dashboard.call('POST', '/v1/tables/PricesTable/rows/find', {})).rows.map(
        ({ code }: { code: string }) => code,
      )
    const chooseCode = async () => {
      await dialog.getByRole('combobox', { name: 'Column' }).click()
      await page.getByRole('option', { name: 'code' }).click()
    }
    await grid.getByRole('rowheader').first().click()
    await page.getByRole('button', { name: 'Change rows' }).click()
    const change = dialog.getByRole('button', { name: 'Change 1 row' })
    const clear = dialog.getByRole('checkbox', { name: 'Empty the cells' })
    await clear.check()
    await expect(change).toBeDisabled()
    await chooseCode()
    await expect(change).toBeEnabled()
    await clear.uncheck()
    await expect(change).toBeDisabled()
    await expect(dialog.getByText('New value')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'New value' }).fill('chosen')
    await change.click()
    await expect.poll(codes).toEqual(['chosen', 'P1', 'P2', 'P3'])
    await grid.focus()
    await page.keyboard.press('Control+z')
    await expect.poll(codes).toEqual(['P0', 'P1', 'P2', 'P3'])
    await page.getByRole('button', { name: 'Change rows' }).click()
    await dialog.getByText('All: 4 rows').click()
    await expect(dialog.getByRole('button', { name: 'Change 4 rows' })).toBeDisabled()
    await chooseCode()
    await dialog.getByRole('textbox', { name: 'New value' }).fill('all')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change 4 rows' }).click()
    await expect.poll(codes).toEqual(['all', 'all', 'all', 'all'])
    await expect(dialog).toHaveCount(0)
    await grid.focus()
    await page.keyboard.press('Control+z')
    await expect.poll(codes).toEqual(['P0', 'P1', 'P2', 'P3'])
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add column' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('stock')
    await dialog.getByRole('textbox', { name: 'Value for the rows' }).fill('5')
    await dialog.getByRole('button', { name: 'Add column' }).click()
    await expect(dialog.getByText('Changed: 4 rows')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change rows' }).click()
    await dialog.getByText('Delete rows').click()
    await expect(dialog.getByText('This cannot be undone.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Export first' }).click()
    await expect(dialog.getByRole('button', { name: 'Download' })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await grid.getByRole('button', { name: 'Actions on column code' }).click()
    await page.getByRole('menuitem', { name: 'Ids of users' }).click()
    await dialog.getByRole('checkbox', { name: '“code” contains ids of users' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const stored = await dashboard.call('GET', '/v1/tables/PricesTable')
    expect(stored.table.schema.properties.code['x-zui']).toMatchObject({ userId: true })
    await grid.getByRole('button', { name: 'Actions on column price' }).click()
    await page.getByRole('menuitem', { name: 'Change type' }).click()
    await dialog.getByRole('combobox', { name: 'New type' }).click()
    await page.getByRole('option', { name: 'Number' }).click()
    await expect(dialog.getByText('2 values can be converted.')).toBeVisible()
    await expect(
      dialog.getByText('1 value cannot be converted and will be emptied.'),
    ).toBeVisible()
    await expect(
      dialog.getByRole('row', { name: '3 dear Empty (must be a number)' }),
    ).toBeVisible()
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/convert.png` })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change type' }).click()
    await expect(
      dialog.getByText('The column “price” has the type “Number” now.'),
    ).toBeVisible()
    await expect(dialog.getByText('1 value could not be converted.')).toBeVisible()
    await expect(
      dialog.getByRole('row', { name: /row 3 "price" must be a number, not "dear"/ }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    const viewer = await dashboard.open('viewer')
    await viewer.goto(dashboard.botPage(`/tables/${table.id}`))
    await viewer.getByRole('button', { name: 'Actions on column price' }).click()
    await expect(viewer.getByRole('menuitem', { name: 'Sort ascending' })).toBeVisible()
    await expect(viewer.getByRole('menuitem', { name: 'Change type' })).toHaveCount(0)
    await expect(viewer.getByRole('button', { name: 'Change rows' })).toHaveCount(0)
  })

  test('exports CSV without formulas, unless it is for an import', async () => {
    const schema = { type: 'object', properties: { note: { type: 'string' } } }
    const { table } = await dashboard.call('POST', '/v1/tables', {
      name: 'NotesTable',
      schema,
    })
    await dashboard.call('POST', '/v1/tables/NotesTable/rows', {
      rows: [{ note: '=1+1' }],
    })
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage(`/tables/${table.id}`))
    const dialog = page.getByRole('dialog')
    const downloads = dialog.getByRole('button', { name: 'Download' })
    /** The `nth` export, which is listed first. */
    const exportNote = async (item: string, nth: number) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      await expect(downloads).toHaveCount(nth)
      const downloading = page.waitForEvent('download')
      await downloads.first().click()
      const text = await readFile(await (await downloading).path(), 'utf8')
      await page.keyboard.press('Escape')
      return text.split('\r\n')[1]?.split(',')[1]
    }
    expect(await exportNote('Export as CSV', 1)).toBe("'=1+1")
    expect(await exportNote('Export as CSV for an import, with formulas', 2)).toBe('=1+1')
  })

  test('imports a table of 100,000 rows with ten bad ones, then those corrected', async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) =>
      n % 10_000 === 17 ? `P${n},expensive,true` : `P${n},${n / 4},${n % 2 === 0}`,
    )
    const buffer = Buffer.from(`code,price,sold\n${lines.join('\n')}\n`)
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/tables'))
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    const choose = async (name: string, content: Buffer) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: content })
    await choose('products 2026.csv', buffer)
    await expect(dialog.getByText('3 columns. 100,000 rows.')).toBeVisible()
    await expect(dialog.getByText('leaves out rows with errors')).toBeVisible()
    await expect(dialog.getByText('P0 · P1 · P2')).toBeVisible()
    await expect(
      dialog.getByText('deletes the uploaded file after one day'),
    ).toBeVisible()
    const { files } = await dashboard.call('GET', '/v1/files')
    expect(Date.parse(files[0].expiresAt)).toBeLessThanOrEqual(Date.now() + 86_400_000)
    await expect(
      dialog.getByRole('textbox', { name: 'Name of the new table' }),
    ).toHaveValue('products_2026')
    await expect(dialog.getByRole('combobox', { name: 'Type of price' })).toHaveValue(
      'Number',
    )
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/mapping.png` })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start import' }).press('Enter')
    await expect(
      dialog.getByText(
        'Imported: 99,990 rows. Left out: 10 rows. The table has 99,990 rows.',
      ),
    ).toBeVisible({ timeout: 60_000 })
    await expect(
      dialog.getByRole('row', {
        name: /line 19 "price" must be a number, not "expensive"/,
      }),
    ).toBeVisible()
    await expect(dialog.getByRole('row')).toHaveCount(11)
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/imported.png` })
    expect(await findViolations(page)).toEqual([])
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download 10 rows (CSV)' }).click()
    const rejected = await readFile(await (await downloading).path(), 'utf8')
    expect(rejected.split('\r\n').slice(0, 2)).toEqual([
      'code,price,sold,Problem',
      'P17,expensive,true,"line 19: ""price"" must be a number, not ""expensive"""',
    ])
    await dialog.getByRole('button', { name: 'Open table' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('products_2026Table')
    await page.getByRole('button', { name: 'Import' }).click()
    await choose(
      'rejected-rows.csv',
      Buffer.from(rejected.replaceAll(',expensive,', ',99,')),
    )
    await expect(dialog.getByRole('combobox', { name: 'Target of Problem' })).toHaveValue(
      'Leave out',
    )
    await dialog.getByRole('button', { name: 'Start import' }).click()
    await expect(
      dialog.getByText('Imported: 10 rows. Left out: none. The table has 100,000 rows.'),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('100,000 rows')).toBeVisible()
  }, 120_000)

  test('previews an import on a phone, follows it on the page, and keeps extra cells', async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, n) => `A${n},${n}${n === 40 ? ',x,,y' : ''}`,
    )
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage('/tables'))
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'stock.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`code,price\n${lines.join('\n')}\n`),
    })
    const { width } = page.viewportSize()!
    for (const name of ['Target of price', 'Type of price']) {
      const box = (await dialog.getByRole('combobox', { name }).boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(width)
    }
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/phone-import.png` })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start import' }).click()
    await dialog.getByRole('button', { name: 'Open table' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(/^An import is running: \d+ %$/)).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Importing' })).toBeVisible()
    await expectAccessible(page)
    const result = 'Imported: 59,999 rows. Left out: 1 row.'
    await expect(page.getByText(result)).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('59,999 rows', { exact: true })).toBeVisible()
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/banner.png` })
    await page.getByRole('button', { name: 'Show result' }).click()
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download 1 row (CSV)' }).click()
    const rejected = await readFile(await (await downloading).path(), 'utf8')
    expect(rejected.split('\r\n').slice(0, 2)).toEqual([
      'code,price,Extra cell 1,Extra cell 2,Extra cell 3,Problem',
      'A40,40,x,,y,"line 42: expected 2 cells, found 5: quote cells that contain the separator, ' +
        'and remove titles above the column names"',
    ])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText(result)).toHaveCount(0)
    await page.getByRole('button', { name: 'Import' }).click()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'rejected-rows.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rejected),
    })
    const target = dialog.getByRole('combobox', { name: 'Target of Extra cell 2' })
    await expect(target).toHaveValue('Leave out')
    await expect(dialog.getByRole('note')).toContainText(
      '1 row has more cells than the table',
    )
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Imports, exports, changes' }).click()
    await expect(dialog.getByText('Import: done · 59,999 rows · stock.csv')).toBeVisible()
  }, 120_000)
})
