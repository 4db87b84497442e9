import type { AppRequest, Reply, Route, SignedIn } from './types.ts'

type Line = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

function split(line: Line): { method: string; path: string } {
  const [method = '', path = ''] = line.split(' ', 2)
  return { method, path }
}

/** A page that only shows: also the one that carries a form's CSRF token. Never an action. */
export const show = (line: Line, handle: (request: SignedIn) => Reply): Route => ({
  ...split(line),
  answers: 'page',
  action: false,
  open: false,
  handle,
})

/** A form's submit: checked for the CSRF field. */
export const submit = (line: Line, handle: (request: SignedIn) => Reply): Route => ({
  ...split(line),
  answers: 'page',
  action: true,
  open: false,
  handle,
})

/** A JSON request, read or write; other methods than GET are checked for the CSRF header. */
export const data = (line: Line, handle: (request: SignedIn) => Reply): Route => ({
  ...split(line),
  answers: 'json',
  action: true,
  open: false,
  handle,
})

/** A JSON request that carries no action: where a client gets its CSRF token. */
export const free = (line: Line, handle: (request: SignedIn) => Reply): Route => ({
  ...split(line),
  answers: 'json',
  action: false,
  open: false,
  handle,
})

/** A page for anybody, signed in or not. */
export const open = (line: Line, handle: (request: AppRequest) => Reply): Route => ({
  ...split(line),
  answers: 'page',
  action: false,
  open: true,
  handle,
})

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith('{')) {
      if (value === '') return undefined
      params[part.slice(1, -1)] = value
    } else if (part !== value) return undefined
  }
  return params
}

export type Match = { route: Route; params: Record<string, string> } | { allow: string[] }

/** Literal paths must stand before those with placeholders: the first match wins. */
export function findRoute(routes: readonly Route[], method: string, path: string): Match {
  const allow: string[] = []
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (!params) continue
    if (route.method === method) return { route, params }
    allow.push(route.method)
  }
  return { allow }
}
