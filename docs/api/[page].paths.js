// The pages of the API reference, which the build writes from the contract.
import { apiPages } from '../../scripts/documents/api/pages.js'

export default {
  paths: () =>
    apiPages().map(({ page, title, text }) => ({
      params: { page, title },
      content: text,
    })),
}
