"""Networks written as ONNX: made once from the files as they are published, then run by ONNX Runtime."""
