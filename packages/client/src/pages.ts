interface Page<Item> {
  items: Item[]
  nextToken?: string | undefined
}

/** Yields the items of all pages. */
export async function* itemsOf<Item>(
  read: (query: { nextToken?: string | undefined }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let nextToken: string | undefined
  do {
    const page = await read({ nextToken })
    yield* page.items
    nextToken = page.nextToken
  } while (nextToken)
}
