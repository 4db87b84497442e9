"""Callgate and AsyncCallgate: clients of one gateway with one key. Their types are in client.pyi."""

import asyncio
import time

import httpx

from . import _flow as flow


def _answered(response):
    try:
        body = response.json()
    except ValueError:
        # Half an output is none; what refuses in other words than JSON still has its status.
        return flow.Answer(0 if response.is_success else response.status_code, response.headers, None)
    return flow.Answer(response.status_code, response.headers, body)


class _Client:
    def __init__(self, api_key, base_url="http://127.0.0.1:8080", *, retries=3, transport=None):
        self._base_url = flow.address_of(base_url)
        self._api_key = api_key
        self._retries = retries
        # The gateway sends nobody elsewhere: what is in the request is for it alone.
        self._http = self._make(timeout=flow.PATIENCE, follow_redirects=False, transport=transport)

    def _request(self, step):
        headers = flow.headers_of(self._api_key, step.headers)
        body = {} if step.json is None else {"json": step.json}
        return self._http.build_request(step.method, self._base_url + step.path, headers=headers, **body)

    def run(self, action, input, **options):
        return self._do(flow.run(self._base_url, self._retries, action, input, options))

    def call(self, action, input, **options):
        return self._do(flow.call(self._base_url, self._retries, action, input, options))

    def wait_for_end(self, call_id, timeout=None):
        return self._do(flow.wait_for_end(self._base_url, self._retries, call_id, timeout))

    def wait_for_approval(self, call_id, timeout=None):
        return self._do(flow.wait_for_approval(self._base_url, self._retries, call_id, timeout))

    def get_call(self, call_id):
        return self._do(flow.read(self._base_url, self._retries, "GET", "calls", call_id))

    def list_calls(self, **filters):
        return self._do(flow.read(self._base_url, self._retries, "GET", "calls", query=flow.listed(filters)))

    def cancel(self, call_id):
        return self._do(flow.read(self._base_url, self._retries, "DELETE", "calls", call_id))

    def connections(self):
        return self._do(flow.connections(self._base_url, self._retries))


class Callgate(_Client):
    _make = httpx.Client

    def _do(self, steps):
        answer = None
        try:
            while True:
                step = steps.send(answer)
                answer = None
                if isinstance(step, flow.Pause):
                    time.sleep(step.seconds)
                    continue
                try:
                    answer = _answered(self._http.send(self._request(step)))
                except httpx.TransportError:
                    answer = flow.Answer(0, {}, None)
        except StopIteration as end:
            return end.value

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def close(self):
        self._http.close()


class AsyncCallgate(_Client):
    _make = httpx.AsyncClient

    async def _do(self, steps):
        answer = None
        try:
            while True:
                step = steps.send(answer)
                answer = None
                if isinstance(step, flow.Pause):
                    await asyncio.sleep(step.seconds)
                    continue
                try:
                    answer = _answered(await self._http.send(self._request(step)))
                except httpx.TransportError:
                    answer = flow.Answer(0, {}, None)
        except StopIteration as end:
            return end.value

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        await self.close()

    async def close(self):
        await self._http.aclose()
