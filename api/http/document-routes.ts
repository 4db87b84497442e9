import Router from '@koa/router'
import { basePath, llmsPath, openApiPath, serverCardPath } from './api.ts'
import type { Api } from './api.ts'
import { daily, documentOf, replyDocument } from './documents.ts'
import { limitDiscovery } from './rate-limit.ts'
import { llmsText } from './llms.ts'
import { allowMethods } from './method.ts'
import { serverCard } from '../mcp/server-card.ts'
import { openApiDocument } from '../openapi/document.ts'

/** /openapi.json, /llms.txt and /server.json: the API described for programs; /docs below the API leads to the pages for people. No key needed. */
export function documentRoutes(api: Api): Router {
  const { config, apps } = api.ctx
  const parts = () => ({ apps: apps.all, publicUrl: config.publicUrl })
  const openApi = daily(apps, (today) =>
    documentOf('application/json', JSON.stringify(openApiDocument({ ...parts(), today }))),
  )
  const llms = daily(apps, () => documentOf('text/plain', llmsText(parts())))
  const card = documentOf('application/json', JSON.stringify(serverCard(config.publicUrl)))
  const router = new Router({ sensitive: true })
  for (const [path, document] of [
    [openApiPath, openApi],
    [`${basePath}${openApiPath}`, openApi],
    [llmsPath, llms],
    [serverCardPath, () => card],
  ] as const) {
    router.all(path, async (http) => {
      await limitDiscovery(api, http)
      allowMethods(http, 'GET', 'HEAD')
      replyDocument(http, document())
    })
  }
  for (const path of ['/docs', '/docs/*page']) {
    router.all(`${basePath}${path}`, async (http) => {
      await limitDiscovery(api, http)
      allowMethods(http, 'GET', 'HEAD')
      http.redirect(`${config.publicUrl}${http.path.slice(basePath.length)}`)
    })
  }
  return router
}
