import Router from '@koa/router'
import { CallgateError } from '../../schemas/errors.ts'
import { basePath, clientsPath, llmsPath, openApiPath, serverCardPath } from '../../core/http/api.ts'
import type { Api } from '../../core/http/api.ts'
import { clientPackages } from '../../core/http/client-packages.ts'
import type { ClientPackage } from '../../core/http/client-packages.ts'
import { daily, documentOf, replyDocument } from '../../core/http/documents.ts'
import { limitDiscovery } from '../../core/http/rate-limit.ts'
import { llmsText } from './llms.ts'
import { allowMethods } from './method.ts'
import { serverCard } from '../mcp/server-card.ts'
import { openApiDocument } from '../openapi/document.ts'

/**
 * For clients, without a key: /openapi.json, /llms.txt and /server.json describe the API, /clients
 * has the client packages; /docs below the API redirects to the users' pages.
 */
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
  router.all(`${clientsPath}/:file`, async (http) => {
    await limitDiscovery(api, http)
    allowMethods(http, 'GET', 'HEAD')
    const packages = await clientPackages(config.dir)
    const found = packages.find(({ file }) => file === http.params.file)
    if (found === undefined) throw notThisPackage(packages, config.publicUrl)
    replyDocument(http, found.document)
  })
  for (const path of ['/docs', '/docs/*page']) {
    router.all(`${basePath}${path}`, async (http) => {
      await limitDiscovery(api, http)
      allowMethods(http, 'GET', 'HEAD')
      http.redirect(`${config.publicUrl}${http.path.slice(basePath.length)}`)
    })
  }
  return router
}

/** For example an older version: the message lists the current packages. */
function notThisPackage(packages: readonly ClientPackage[], publicUrl: string): CallgateError {
  const addresses = packages.map(({ file }) => `${publicUrl}${clientsPath}/${file}`)
  return new CallgateError('not_found', { message: `There is no such package. There are: ${addresses.join(', ')}` })
}
