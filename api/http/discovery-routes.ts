import type Router from '@koa/router'
import { exampleOf } from '../../connectors/examples.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { basePath } from '../../core/http/api.ts'
import type { Api } from '../../core/http/api.ts'
import { declarationsOf, thingsOf } from './declarations.ts'
import { daily, documentOf, replyDocument } from '../../core/http/documents.ts'
import type { Document } from '../../core/http/documents.ts'
import { limitDiscovery } from '../../core/http/rate-limit.ts'
import { allowMethods } from './method.ts'
import { appNamed, endpointNamed } from './run-routes.ts'

/** What can be called, and how. No key needed. */
export function discoveryRoutes(router: Router, api: Api): void {
  const { apps } = api.ctx
  const say = describer(api.ctx.config.publicUrl)
  let documents = new Map<string, () => Document>()
  let of = apps.all
  /** `found` refuses unknown names, which bounds the number of cached documents. */
  const route = (path: string, found: (name: (param: string) => string) => () => unknown): void => {
    router.all(path, async (http) => {
      await limitDiscovery(api, http)
      const body = found((param) => http.params[param] ?? '')
      allowMethods(http, 'GET', 'HEAD')
      if (of !== apps.all) documents = new Map()
      of = apps.all
      const id = JSON.stringify([path, http.params])
      const document = documents.get(id) ?? daily(apps, () => documentOf('application/json', JSON.stringify(body())))
      documents.set(id, document)
      replyDocument(http, document())
    })
  }
  route('/apps', () => () => ({ apps: apps.all.map(say.listedApp) }))
  route('/:app/endpoints', (name) => {
    const app = appNamed(api, name('app'))
    return () => ({ endpoints: say.endpoints(app) })
  })
  route('/:app/endpoints/:endpoint', (name) => {
    const endpoint = endpointNamed(api, name('app'), name('endpoint'))
    return () => say.endpoint(endpoint)
  })
  route('/:app', (name) => {
    const app = appNamed(api, name('app'))
    return () => say.app(app)
  })
}

/** The bodies of discovery. Source: contract, "Discovery". */
export function describer(publicUrl: string) {
  const base = `${publicUrl}${basePath}`
  const links = (slug: string) => ({
    self: `${base}/${slug}`,
    endpoints: `${base}/${slug}/endpoints`,
    docs: `${publicUrl}/docs/${slug}`,
  })
  const listedEndpoint = ({ app, name, access, confirm, summary }: Endpoint) => ({
    name,
    access,
    confirm,
    summary,
    links: { self: `${base}/${app}/endpoints/${name}` },
  })
  const endpoints = (app: App) => [...app.endpoints.values()].map(listedEndpoint)
  return {
    endpoints,
    listedApp: ({ slug, name, description, endpoints: { size }, added }: App) => ({
      slug,
      name,
      description,
      endpoint_count: size,
      ...ofAdded(added),
      links: links(slug),
    }),
    app: (app: App) => ({
      slug: app.slug,
      name: app.name,
      description: app.description,
      role: app.role,
      connection: { kind: app.connection.kind, connect_url: `${publicUrl}/connect/${app.slug}` },
      endpoint_count: app.endpoints.size,
      ...ofAdded(app.added),
      endpoints: endpoints(app),
      ...thingsOf(app),
      links: links(app.slug),
    }),
    endpoint: (endpoint: Endpoint) => ({
      app: endpoint.app,
      name: endpoint.name,
      access: endpoint.access,
      confirm: endpoint.confirm,
      summary: endpoint.summary,
      credits: endpoint.credits,
      input_schema: endpoint.inputSchema,
      output_schema: endpoint.outputSchema,
      ...declarationsOf(endpoint),
      example: exampleOf(endpoint.app, endpoint.name, new Date()),
      links: {
        self: `${base}/${endpoint.app}/endpoints/${endpoint.name}`,
        call: `${base}/${endpoint.app}/${endpoint.name}`,
        app: `${base}/${endpoint.app}`,
        docs: `${publicUrl}/docs/${endpoint.app}`,
      },
    }),
  }
}

/** Extra fields of an app that is not built in. */
function ofAdded(added: App['added']) {
  return added && { built_in: false, ...(added.scale && { scale: added.scale }) }
}
