"""The example's agent, with a model that does what the test says."""

from asked import ask, serve_agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai_agent import act


async def think(messages, _):
    last = messages[-1].parts[-1]
    step = await ask(last.content if isinstance(last, ToolReturnPart) else None)
    part = ToolCallPart(step["use"], step["arguments"]) if "use" in step else TextPart(step["say"])
    return ModelResponse(parts=[part])


serve_agent(act, FunctionModel(think))
