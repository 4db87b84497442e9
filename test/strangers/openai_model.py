"""The example's agent, with a model that does what the test says."""

import json

from agents import Model, ModelResponse, Usage
from asked import ask, serve_agent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openai_agent import act


class Scripted(Model):
    uses = 0

    async def get_response(self, system_instructions, input, *settings, **others):
        step = await ask(told(input))
        self.uses += 1
        if "use" in step:
            arguments = json.dumps(step["arguments"])
            said = ResponseFunctionToolCall(
                type="function_call", call_id=f"use-{self.uses}", name=step["use"], arguments=arguments
            )
        else:
            text = ResponseOutputText(type="output_text", text=step["say"], annotations=[])
            said = ResponseOutputMessage(
                id="said", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *settings, **others):
        raise NotImplementedError


def told(input):
    last = input[-1] if isinstance(input, list) else {}
    if last.get("type") != "function_call_output":
        return None
    output = last["output"]
    return output if isinstance(output, str) else output[0]["text"]


serve_agent(act, Scripted())
