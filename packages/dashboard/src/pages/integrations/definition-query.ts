import type { Integration } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

/** Reads the definition of a version of an integration, of the hub or of the workspace. */
export function useDefinition(integration: { id: string; public: boolean }) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['integrations', botId, 'definition', integration.id],
    queryFn: async ({ signal }): Promise<Integration> => {
      const params = { id: integration.id }
      const found = integration.public
        ? await client.admin.getPublicIntegrationById({ params }, { signal })
        : await client.admin.getIntegration({ params }, { signal })
      return found.integration
    },
  })
}
