// The lists of the contract follow from the folders: a new file needs no entry anywhere.
import { expect, test } from 'vitest'
import { findComponents, findFamilies } from './registry.js'

const group = (path: string, name: string) => ({
  path,
  text: `export const ${name} = {\n  get: operation({}),\n}\n`,
})
const family = {
  path: 'shop/family.ts',
  text: "export const family = { title: 'Shop' }\n",
}

test('finds each file of a family that exports its own name, in folders of it too', () => {
  const sources = [
    family,
    group('shop/carts.ts', 'carts'),
    group('shop/orders/order-lines.ts', 'orderLines'),
    group('shop/signals.ts', 'isSignal'),
    group('models/cart.ts', 'cart'),
  ]
  expect(findFamilies(sources, () => [])).toEqual([
    {
      name: 'shop',
      groups: [
        { path: 'shop/carts.ts', name: 'carts' },
        { path: 'shop/orders/order-lines.ts', name: 'orderLines' },
      ],
    },
  ])
})

test('keeps the order of the OpenAPI document and puts new groups last', () => {
  const sources = [
    family,
    ...['alerts', 'books', 'carts', 'desks'].map((name) =>
      group(`shop/${name}.ts`, name),
    ),
  ]
  const [shop] = findFamilies(sources, () => ['desks', 'desks', 'books'])
  expect(shop.groups.map(({ name }: { name: string }) => name)).toEqual([
    'desks',
    'books',
    'alerts',
    'carts',
  ])
})

test('lists families by their positions', () => {
  const sources = ['a', 'b', 'c'].map((name, at) => ({
    path: `${name}/family.ts`,
    text: `export const family = {\n  position: ${10 - at},\n}\n`,
  }))
  expect(findFamilies(sources, () => []).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
})

test('rejects two groups with the same name', () => {
  const sources = [
    family,
    group('shop/a/carts.ts', 'carts'),
    group('shop/b/carts.ts', 'carts'),
  ]
  expect(() => findFamilies(sources, () => [])).toThrow(
    'Two files of the family "shop" export "carts": rename one.',
  )
})

test('finds the models with the tag of components', () => {
  const text = `/** An id. */
export const CartId = T.String()

/** A cart. @component */
export const Cart = closed({ id: CartId })

/**
 * An order.
 * @component
 */
export const Order = closed({})
`
  expect(findComponents({ path: 'models/cart.ts', text })).toEqual(['Cart', 'Order'])
})

test('reports a tag that belongs to no exported constant', () => {
  const text = '/** A cart. @component */\nconst Cart = closed({})\n'
  expect(() => findComponents({ path: 'models/cart.ts', text })).toThrow(
    'models/cart.ts: the tag @component belongs to an exported constant.',
  )
})
