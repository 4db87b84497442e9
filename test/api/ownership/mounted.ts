import type Koa from 'koa'

export interface Mounted {
  readonly path: string
  readonly methods: readonly string[]
}

/** Every route that the app answers, as its routers know them. A route for all methods has none. */
export function mountedRoutes(koa: Koa): readonly Mounted[] {
  const all = koa.middleware.flatMap((one) => {
    const router: unknown = 'router' in one ? one.router : undefined
    return isRouter(router) ? router.stack : []
  })
  // Middleware of a router has no methods.
  const routes = all.filter(({ methods }) => methods.length > 0)
  return routes.map(({ path, methods }) => ({ path: String(path), methods: methods.length > 2 ? [] : methods }))
}

interface Stack {
  readonly stack: readonly { readonly path: string | RegExp; readonly methods: readonly string[] }[]
}

function isRouter(value: unknown): value is Stack {
  return typeof value === 'object' && value !== null && 'stack' in value && Array.isArray(value.stack)
}
