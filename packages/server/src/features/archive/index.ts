import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveArchiveFiles } from './api/platform/archive-files.ts'
import { serveImports } from './api/platform/archive-imports.ts'
import type { ArchiveServices } from './services.ts'

export const archive: Feature<ArchiveServices> = {
  name: 'archive',
  handlers,
  routes(server, services) {
    serveArchiveFiles(server, services)
    serveImports(server, services)
  },
}
